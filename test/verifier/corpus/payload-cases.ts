/** Payloads that are not in canonical form, each with a valid signature. */
import { editAgreement } from "../forgeries.ts"
import { jcs, keys, kid, type Members, signBytes } from "../signing.ts"
import { briefPlaces } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"
import { record, recordOf } from "./record-jws.ts"

const code = "PAYLOAD_NOT_CANONICAL"
const canonical = jcs(record)

/** The record with this text in place of its canonical form. */
const text = (payload: string | Uint8Array): CaseInputs => recordOf({ payload })

const spellings: ReadonlyArray<Case> = (
  [
    ["blank", canonical.replace(":", ": "), "A blank in the signed bytes is a second spelling of one record"],
    ["indented", JSON.stringify(record, null, 2), "The signed bytes are indented"],
    ["line-end", `${canonical}\n`, "A line end follows the signed document"],
    [
      "order",
      `{"schema":"${record["schema"]}",${canonical.slice(1).replace(/,"schema":"[^"]*"/, "")}`,
      "The members of the record are in another order"
    ],
    [
      "inner-order",
      canonical.replace(/"agreement":\{("digest":"[^"]*"),("version":1)\}/, '"agreement":{$2,$1}'),
      "The members of an inner object are in another order"
    ],
    ["escape", canonical.replace("Buyer", "\\u0042uyer"), "A letter is written as an escape"],
    [
      "escaped-slash",
      canonical.replace("result-record/", "result-record\\/"),
      "A slash is written as an escape, which JSON allows and the canonical form does not"
    ],
    [
      "member-twice",
      canonical.replace("{", '{"acceptedAt":"2026-01-01T00:00:00.000Z",'),
      "A member stands there twice; the signature covers both"
    ],
    [
      "member-twice-inside",
      canonical.replace('"count":', '"count":1,"count":'),
      "The count of the events stands there twice"
    ],
    ["fraction", canonical.replace('"version":1', '"version":1.0'), "The version is written as a fraction"],
    ["exponent", canonical.replace('"version":1', '"version":1e0'), "The version is written with an exponent"],
    ["byte-order-mark", `\ufeff${canonical}`, "The signed bytes begin with a byte order mark"],
    ["two-documents", canonical + canonical, "The signed bytes are two documents"],
    ["lone-surrogate", canonical.replace("Buyer GmbH", "Buyer \\ud800"), "Half of a surrogate pair is in a name"],
    ["escaped-nul", canonical.replace("Buyer GmbH", "Buyer\\u0000GmbH"), "U+0000 is in a name, as an escape"],
    [
      "not-utf8",
      Buffer.from(canonical.replace("Buyer", "B\u00fcyer"), "latin1"),
      "The signed bytes are in another encoding"
    ],
    ["no-json", "verified", "The signed bytes are no JSON"]
  ] as const
).map(([name, payload, why]) => failCase(`payload/${name}_fail`, `${why}.`, "record-signature", code, text(payload)))

const payloads: ReadonlyArray<Case> = (
  [
    ["list", "[]", "A list is signed where a record belongs"],
    ["null", "null", "Null is signed where a record belongs"],
    ["text", '"verified"', "A word is signed where a record belongs"],
    ["no-issued-at", jcs({ ...record, issuedAt: undefined }), "The record does not say when it was signed"],
    [
      "issued-at-offset",
      jcs({ ...record, issuedAt: "2026-11-21T10:18:00.000+01:00" }),
      "It was signed at a time that is no instant"
    ],
    [
      "issued-at-february-30",
      jcs({ ...record, issuedAt: "2026-02-30T09:18:00.000Z" }),
      "It was signed on a day that does not exist"
    ],
    ["issued-at-number", jcs({ ...record, issuedAt: 1_795_252_680_000 }), "The time of the signature is a number"]
  ] as const
).map(([name, payload, why]) =>
  failCase(`payload/${name}_fail`, `${why}.`, "record-signature", "FIELD_TYPE", text(payload))
)

/** The same fault in the other signed objects. */
const places: ReadonlyArray<Case> = [
  failCase("payload/package-indented_fail", "The package is signed over indented bytes.", "package-signature", code, {
    forgery: { signPackage: (content) => signText("PACKAGE", content, JSON.stringify(content, null, 1)) }
  }),
  failCase(
    "payload/event-member-twice_fail",
    "One event names two kinds under one signature.",
    "event-signature",
    code,
    {
      forgery: {
        signEvent: (event, index) =>
          index === briefPlaces.RESPOND
            ? signText("EVENT", event, jcs(event).replace('"kind":', '"kind":"CREATE","kind":'))
            : undefined
      }
    }
  ),
  failCase("payload/event-number_fail", "An event counts itself as 2.0.", "event-signature", code, {
    forgery: {
      signEvent: (event, index) =>
        index === briefPlaces.RESPOND
          ? signText("EVENT", event, jcs(event).replace('"sequence":2', '"sequence":2.0'))
          : undefined
    }
  }),
  failCase(
    "payload/status-order_fail",
    "A status is signed with its members in another order.",
    "status-signature",
    code,
    {
      artifact: recordAlone,
      forgery: {
        signStatus: ({ schema, ...rest }) =>
          signText("STATUS", { schema }, `{"schema":"${schema}",${jcs(rest).slice(1)}`)
      },
      status: ({ status }) => status
    }
  )
]

function signText(purpose: "PACKAGE" | "EVENT" | "STATUS", { schema }: Members, payload: string): string {
  return signBytes(jcs({ alg: "EdDSA", kid: kid(purpose), typ: schema }), payload, keys[purpose].privateKey)
}

const terms = (value: unknown): CaseInputs => ({
  forgery: editAgreement((agreement) => (agreement["terms"].extra = value))
})
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))

const bounds: ReadonlyArray<Case> = [
  okCase("payload/largest-integer_ok", "2^53 - 1 is the largest integer that every reader keeps.", terms(2 ** 53 - 1)),
  okCase(
    "payload/smallest-integer_ok",
    "-(2^53 - 1) is the smallest integer that every reader keeps.",
    terms(1 - 2 ** 53)
  ),
  failCase(
    "payload/two-to-the-53rd_fail",
    "2^53 in the terms is a number that two readers may round apart.",
    "package-signature",
    code,
    terms(2 ** 53)
  ),
  failCase(
    "payload/fraction-in-terms_fail",
    "A price as a fraction has as many spellings as readers.",
    "package-signature",
    code,
    terms(1.5)
  ),
  okCase("payload/32-levels_ok", "Terms may be nested until the package has 32 levels.", terms(nested(29))),
  failCase(
    "payload/33-levels_fail",
    "The terms nest the package one level too deep.",
    "package-signature",
    code,
    terms(nested(30))
  ),
  okCase(
    "payload/inherited-names-in-terms_ok",
    "The terms are the parties' own words, and __proto__ and constructor are words.",
    {
      forgery: editAgreement((agreement) => {
        agreement["terms"] = JSON.parse(
          `{"__proto__":{"buyerName":"Nobody"},"constructor":1,${jcs(agreement["terms"]).slice(1)}`
        )
      })
    }
  ),
  okCase("payload/largest-unicode_ok", "Names in any script, and a character beyond U+FFFF, are signed as they are.", {
    forgery: named("Käufer 買い手 😀", "Käufer 買い手 😀")
  })
]

function named(inAgreement: string, inRecord: string) {
  return {
    ...editAgreement((agreement) => (agreement["terms"].buyerName = inAgreement)),
    record: (record: Members) => void (record["parties"].buyer.name = inRecord)
  }
}

const spelled: ReadonlyArray<Case> = [
  okCase("payload/decomposed-name_ok", "A name in decomposed letters is the same text wherever it stands.", {
    forgery: named("Cafe\u0301 GmbH", "Cafe\u0301 GmbH")
  }),
  failCase(
    "payload/decomposed-name-in-record_fail",
    "The record's name looks like the agreement's and has other letters; nothing is normalized.",
    "record-parties",
    "PARTY_MISMATCH",
    { forgery: named("Caf\u00e9 GmbH", "Cafe\u0301 GmbH") }
  ),
  failCase(
    "payload/signed-by-another-schema_fail",
    "The payload has the schema of a newer record under the header of this one.",
    "record-signature",
    "JWS_TYPE",
    recordOf({ payload: { ...record, schema: "service.result-record/v2" } })
  )
]

export const payloadCases: ReadonlyArray<Case> = [spellings, payloads, places, bounds, spelled].flat()
