/** Members that are unknown, missing or of another type, in the exported file, the package and the policy. */
import { policyFor } from "../policy.ts"
import { jcs, type Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"

function flattened({ record }: Members): string {
  const [header, payload, signature] = record.split(".")
  return jcs({ payload, protected: header, signature })
}

const envelope = "artifact-envelope"
const file = (edit: (file: Members) => unknown): CaseInputs => ({ forgery: { review: edit } })

const envelopes: ReadonlyArray<Case> = [
  failCase(
    "form/file-unknown-member_fail",
    "The exported file has a member beside its four.",
    envelope,
    "UNKNOWN_MEMBER",
    file((one) => ({ ...one, note: "x" }))
  ),
  failCase(
    "form/file-proto_fail",
    "The exported file has a member __proto__ that holds another record.",
    envelope,
    "UNKNOWN_MEMBER",
    file((one) => JSON.parse(`{"__proto__":{"record":"A"},${jcs(one).slice(1)}`))
  ),
  failCase(
    "form/file-constructor_fail",
    "The exported file has a member constructor.",
    envelope,
    "UNKNOWN_MEMBER",
    file((one) => ({ ...one, constructor: {} }))
  ),
  failCase(
    "form/file-no-status_fail",
    "The exported file has no status, not even an empty one.",
    envelope,
    "MISSING_MEMBER",
    file((one) => void delete one["status"])
  ),
  ...(
    [
      ["list", "FIELD_TYPE", "A list holds the exported file", (one: Members) => jcs([one])],
      [
        "text",
        "FIELD_TYPE",
        "The JWS of the package stands there as a JSON text",
        (one: Members) => jcs(one["record"])
      ],
      ["empty-object", "MISSING_MEMBER", "An empty object has no kind", () => "{}"],
      ["flattened-jws", "MISSING_MEMBER", "The package is a JWS in its JSON form, which is no file here", flattened]
    ] as const
  ).map(([name, code, why, change]) =>
    failCase(`form/file-${name}_fail`, `${why}.`, envelope, code, { artifact: ({ review }) => change(review) })
  ),
  okCase(
    "form/file-keys-of-any-form_ok",
    "The enclosed keys are not looked at, not even their form; the report says that they differ from the key file.",
    file((one) => ({ ...one, trust: "ask the issuer" }))
  ),
  failCase(
    "form/file-newer_fail",
    "The exported file is of a version that this verifier does not know.",
    envelope,
    "VERSION",
    file((one) => ({ ...one, schema: "service.result-review/v2" }))
  ),
  failCase(
    "form/package-newer-agreement_fail",
    "The agreement in the package is of a newer version.",
    "package-form",
    "VERSION",
    {
      forgery: { agreement: (one) => void (one["schema"] = "service.agreement/v2") }
    }
  ),
  failCase(
    "form/package-101-events_fail",
    "The package has more events than any history may have.",
    "package-form",
    "LIMIT_SIZE",
    {
      forgery: { package: (one) => ({ ...one, events: Array(101).fill("e") }) }
    }
  )
]

const policy = (change: (text: string) => string): CaseInputs => ({
  artifact: recordAlone,
  policy: ({ package: content }) => change(jcs(policyFor(content)))
})

const policies: ReadonlyArray<Case> = [
  failCase(
    "form/policy-with-record-alone_fail",
    "A policy was given, and a record alone holds no authority that could be held against it: the answer is no.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    policy((one) => one)
  ),
  failCase(
    "form/policy-proto_fail",
    "The policy has a member __proto__.",
    "authority-policy",
    "AUTHORITY_POLICY",
    policy((one) => one.replace("{", '{"__proto__":{},'))
  ),
  failCase(
    "form/policy-constructor_fail",
    "The policy has a member constructor.",
    "authority-policy",
    "AUTHORITY_POLICY",
    policy((one) => one.replace("{", '{"constructor":{},'))
  ),
  failCase(
    "form/policy-member-twice_fail",
    "The policy has two lists of revocations, of which one is empty.",
    "authority-policy",
    "DUPLICATE_KEY",
    policy((one) => one.replace("{", '{"authorityRevocations":[],'))
  ),
  failCase(
    "form/policy-byte-order-mark_fail",
    "The policy begins with a byte order mark.",
    "authority-policy",
    "INPUT_ENCODING",
    policy((one) => `\ufeff${one}`)
  ),
  failCase(
    "form/policy-empty_fail",
    "An empty file is no policy.",
    "authority-policy",
    "INPUT_NOT_JSON",
    policy(() => "")
  ),
  failCase(
    "form/policy-number_fail",
    "A fraction stands in the policy.",
    "authority-policy",
    "NUMBER_FORM",
    policy((one) => one.replace("[]", "[0.5]"))
  ),
  failCase(
    "form/policy-33-levels_fail",
    "The policy is nested too deeply.",
    "authority-policy",
    "LIMIT_DEPTH",
    policy((one) => one.replace("[]", "[".repeat(32) + "]".repeat(32)))
  )
]

export const fileFormCases: ReadonlyArray<Case> = [envelopes, policies].flat()
