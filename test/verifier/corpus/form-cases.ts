/** Members that are unknown, missing or of another type, in the record and the other signed objects. */
import { editAgreement, hex } from "../forgeries.ts"
import { jcs, type Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, recordAlone } from "./case-builders.ts"
import { record, recordOf } from "./record-jws.ts"

const form = "record-form"

/** The record with this change, signed again. */
const edited = (edit: (record: Members) => unknown): CaseInputs => {
  const copy = structuredClone(record)
  edit(copy)
  return recordOf({ payload: copy })
}

function withProto(members: Members): Members {
  return JSON.parse(`{"__proto__":{"issuer":"A"},${jcs(members).slice(1)}`)
}

const members: ReadonlyArray<Case> = [
  failCase(
    "form/unknown-member_fail",
    "A member that this verifier does not know could change what the others mean.",
    form,
    "UNKNOWN_MEMBER",
    edited((one) => (one["amount"] = 1))
  ),
  failCase(
    "form/unknown-member-inside_fail",
    "A party has a member that the format does not have.",
    form,
    "UNKNOWN_MEMBER",
    edited((one) => (one["parties"].buyer.vat = "x"))
  ),
  failCase(
    "form/proto_fail",
    "The record has a member __proto__ of its own, and inherits nothing from it.",
    form,
    "UNKNOWN_MEMBER",
    recordOf({ payload: jcs(record).replace("{", '{"__proto__":{"issuer":"A"},') })
  ),
  failCase(
    "form/constructor_fail",
    "An inner object has a member constructor.",
    form,
    "UNKNOWN_MEMBER",
    edited((one) => (one["head"].constructor = 1))
  ),
  failCase(
    "form/missing-member_fail",
    "The record does not say how many events it stands on.",
    form,
    "MISSING_MEMBER",
    edited((one) => delete one["head"].count)
  ),
  failCase(
    "form/missing-object_fail",
    "The record names no confirmation.",
    form,
    "MISSING_MEMBER",
    edited((one) => delete one["confirmation"])
  )
]

const digests: ReadonlyArray<Case> = (
  [
    ["capitals", hex("A"), "A digest is written in lower case"],
    ["prefix", `sha256:${hex("a")}`, "A digest has no prefix"],
    ["short", "a".repeat(63), "A digest of 63 digits is cut off"],
    ["long", "a".repeat(65), "A digest has 64 digits"],
    ["sha1", "a".repeat(40), "SHA-1 is no digest here"],
    ["sha512", "a".repeat(128), "SHA-512 is no digest here"],
    ["base64url", "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0", "A digest is in hexadecimal digits"],
    ["line-end", `${hex("a")}\n`, "A line end is no digit"],
    ["no-hexadecimal", hex("g"), "A digest has digits from 0 to f"]
  ] as const
).map(([name, digest, why]) =>
  failCase(
    `form/digest-${name}_fail`,
    `${why}.`,
    form,
    "DIGEST_FORM",
    edited((one) => (one["review"].digest = digest))
  )
)

const values: ReadonlyArray<Case> = (
  [
    ["count-as-text", "A count is a number, and not the text of one", (one) => (one["head"].count = "5")],
    ["count-zero", "A record stands on one event at least", (one) => (one["head"].count = 0)],
    ["count-negative", "A count is not negative", (one) => (one["head"].count = -5)],
    ["version-zero", "Versions begin with 1", (one) => (one["agreement"].version = 0)],
    [
      "version-true",
      "The version is true, which some languages count as 1",
      (one) => (one["agreement"].version = true)
    ],
    ["name-empty", "A party has a name, and the empty text is none", (one) => (one["parties"].supplier.name = "")],
    ["name-null", "A name is a text and never null", (one) => (one["parties"].buyer.name = null)],
    ["party-list", "A party is an object", (one) => (one["parties"].buyer = [])],
    ["id-in-capitals", "An id is in lower case", (one) => (one["recordId"] = one["recordId"].toUpperCase())],
    [
      "id-of-another-kind",
      "The id of a review stands where a record's belongs",
      (one) => (one["recordId"] = one["review"].id)
    ],
    ["id-short", "An id has 36 characters after its kind", (one) => (one["recordId"] = one["recordId"].slice(0, -1))],
    ["id-line-end", "A line end is no part of an id", (one) => (one["recordId"] += "\n")]
  ] as ReadonlyArray<readonly [string, string, (record: Members) => unknown]>
).map(([name, why, edit]) => failCase(`form/${name}_fail`, `${why}.`, form, "FIELD_TYPE", edited(edit)))

/** Two faults in one object, of which the first counts: listed members in their order, then the others as they occur. */
const twofold: ReadonlyArray<Case> = [
  failCase(
    "form/two-faults-in-terms_fail",
    "In the terms signing lacks its principal and subjectRequirements is a number; both are optional, and signing stands first.",
    "package-form",
    "MISSING_MEMBER",
    {
      forgery: editAgreement(({ terms }) =>
        Object.assign(terms, { subjectRequirements: 5, signing: { method: "NATIVE" } })
      )
    }
  ),
  failCase(
    "form/two-faults-in-record_fail",
    "The record lacks its issuer and gives the acceptance no time; the issuer is listed first, and acceptedAt stands first.",
    form,
    "MISSING_MEMBER",
    edited((one) => {
      delete one["issuer"]
      one["acceptedAt"] = 5
    })
  ),
  failCase(
    "form/unknown-member-beside-a-fault_fail",
    "The record has an unknown member, which stands first, and a version below 1; what is listed is looked at before it.",
    form,
    "FIELD_TYPE",
    edited((one) => {
      one["aaa"] = 1
      one["agreement"].version = 0
    })
  )
]

/** A member with an inherited name in each signed object. */
const inherited: ReadonlyArray<Case> = [
  failCase(
    "form/package-proto_fail",
    "The package has a member __proto__ of its own.",
    "package-form",
    "UNKNOWN_MEMBER",
    {
      forgery: { package: (one) => withProto(one) }
    }
  ),
  failCase(
    "form/agreement-constructor_fail",
    "The agreement has a member constructor beside its terms, where nothing is the parties' own.",
    "package-form",
    "UNKNOWN_MEMBER",
    { forgery: { agreement: (one) => ({ ...one, constructor: {} }) } }
  ),
  failCase("form/event-proto_fail", "What an event says has a member __proto__.", "event-form", "UNKNOWN_MEMBER", {
    forgery: { history: (events) => void (events[1]!["payload"] = withProto(events[1]!["payload"])) }
  }),
  failCase("form/status-proto_fail", "A status has a member __proto__.", "status-form", "UNKNOWN_MEMBER", {
    artifact: recordAlone,
    forgery: { status: (one) => withProto(one) },
    status: ({ status }) => status
  })
]

export const formCases: ReadonlyArray<Case> = [members, digests, values, twofold, inherited].flat()
