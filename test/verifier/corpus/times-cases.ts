/** The times of signing, of key validity and of the check: every boundary to the millisecond. */
import { at, kid, type Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"
import { record, recordOf } from "./record-jws.ts"

const signedAt = record["issuedAt"] as string
const msBefore = at(17, 59_999)
const msAfter = at(18, 1)
const check = "record-signature"

/** The record alone, under a key with these dates. */
const key = (changes: Members): CaseInputs => ({
  artifact: recordAlone,
  forgery: { trust: (file) => void Object.assign(keyFor(file, "RECORD"), changes) }
})
const keyFor = (file: Members, purpose: string): Members =>
  file["keys"].find((key: Members) => key["kid"] === kid(purpose))

/** A status with the record alone, under a status key with these dates. */
const besideRecord = (changes: Members): CaseInputs => ({
  artifact: recordAlone,
  status: (sample) => sample.status,
  forgery: { trust: (file) => void Object.assign(keyFor(file, "STATUS"), changes) }
})

const validity: ReadonlyArray<Case> = [
  okCase(
    "times/at-valid-from_ok",
    "The key is valid from the millisecond in which it signed.",
    key({ validFrom: signedAt })
  ),
  failCase(
    "times/before-valid-from_fail",
    "The key signed one millisecond before it was valid.",
    check,
    "KEY_NOT_VALID_AT_SIGNING",
    key({ validFrom: msAfter })
  ),
  okCase("times/before-valid-until_ok", "The key ended one millisecond after it signed.", key({ validUntil: msAfter })),
  failCase(
    "times/at-valid-until_fail",
    "The key had ended in the millisecond in which it signed.",
    check,
    "KEY_NOT_VALID_AT_SIGNING",
    key({ validUntil: signedAt })
  ),
  okCase(
    "times/long-after-valid-until_ok",
    "The key ended long before the check; what it signed while it was valid stays proven.",
    { ...key({}), checkedAt: "2039-11-21T09:21:00.000Z" }
  ),
  failCase(
    "times/event-before-valid-from_fail",
    "The first event was signed before the key for events was valid, in a package that is good today.",
    "event-signature",
    "KEY_NOT_VALID_AT_SIGNING",
    { forgery: { trust: (file) => void (keyFor(file, "EVENT")["validFrom"] = at(10, 1)) } }
  ),
  failCase(
    "times/status-at-valid-until_fail",
    "The key for statuses had ended in the millisecond in which it signed this one; the record is proven as before.",
    "status-signature",
    "KEY_NOT_VALID_AT_SIGNING",
    besideRecord({ validUntil: at(20) })
  ),
  failCase(
    "times/package-after-valid-until_fail",
    "The package was signed when its key had ended.",
    "package-signature",
    "KEY_NOT_VALID_AT_SIGNING",
    { forgery: { trust: (file) => void (keyFor(file, "PACKAGE")["validUntil"] = at(20)) } }
  )
]

const revocations: ReadonlyArray<Case> = [
  okCase(
    "times/before-revocation_ok",
    "The key was revoked one millisecond after it signed: the record stays valid, and the report says what became of the key.",
    key({ revokedAt: msAfter })
  ),
  failCase(
    "times/at-revocation_fail",
    "The key was revoked in the millisecond in which it signed.",
    check,
    "KEY_REVOKED",
    key({ revokedAt: signedAt })
  ),
  failCase(
    "times/after-revocation_fail",
    "The key signed one millisecond after its revocation.",
    check,
    "KEY_REVOKED",
    key({ revokedAt: msBefore })
  ),
  failCase(
    "times/revoked-from-the-start_fail",
    "The key was revoked before it was ever valid.",
    check,
    "KEY_REVOKED",
    key({ revokedAt: "2025-01-01T00:00:00.000Z" })
  ),
  okCase(
    "times/revocation-after-check_ok",
    "The key file knows of a revocation that is later than the time of the check.",
    key({ revokedAt: at(30) })
  ),
  failCase(
    "times/status-at-revocation_fail",
    "The key for statuses was revoked in the millisecond in which it signed this one; the record is proven as before.",
    "status-signature",
    "KEY_REVOKED",
    besideRecord({ revokedAt: at(20) })
  ),
  failCase(
    "times/event-after-revocation_fail",
    "The key for events was revoked in the middle of the history; the events before it are good, those after it are not.",
    "event-signature",
    "KEY_REVOKED",
    { forgery: { trust: (file) => void (keyFor(file, "EVENT")["revokedAt"] = at(12)) } }
  )
]

const future: ReadonlyArray<Case> = [
  okCase("times/signed-at-check_ok", "The check is made in the millisecond of the signature.", {
    artifact: recordAlone,
    checkedAt: signedAt
  }),
  failCase(
    "times/signed-after-check_fail",
    "The signature is one millisecond later than the check.",
    check,
    "TIME_FUTURE",
    { artifact: recordAlone, checkedAt: msBefore }
  ),
  failCase(
    "times/check-in-1970_fail",
    "The check is made at the first instant there is, before anything was signed.",
    check,
    "TIME_FUTURE",
    { artifact: recordAlone, checkedAt: "1970-01-01T00:00:00.000Z" }
  ),
  okCase("times/check-in-9999_ok", "The check is made at the last instant there is.", {
    artifact: recordAlone,
    checkedAt: "9999-12-31T23:59:59.999Z"
  }),
  okCase("times/check-on-leap-day_ok", "29 February 2028 is a day.", {
    artifact: recordAlone,
    checkedAt: "2028-02-29T00:00:00.000Z"
  }),
  failCase(
    "times/event-after-check_fail",
    "The package claims to be from before the check, and encloses an event from after it.",
    "event-signature",
    "TIME_FUTURE",
    {
      checkedAt: at(17),
      forgery: { package: (content) => void (content["issuedAt"] = at(16)) }
    }
  )
]

const forms: ReadonlyArray<Case> = (
  [
    ["empty", "", "An empty text is no time, and no default stands in for it"],
    ["word", "now", "The verifier reads no clock"],
    ["date", "2026-11-21", "A day without its time is no instant"],
    ["no-milliseconds", "2026-11-21T09:21:00Z", "An instant has three fraction digits"],
    ["microseconds", "2026-11-21T09:21:00.000000Z", "An instant has three fraction digits and no more"],
    ["comma", "2026-11-21T09:21:00,000Z", "The fraction follows a point"],
    ["offset", "2026-11-21T09:21:00.000+00:00", "UTC is written as Z, and as no offset"],
    ["no-zone", "2026-11-21T09:21:00.000", "A time without its zone is a time anywhere"],
    ["small-z", "2026-11-21T09:21:00.000z", "The Z is a capital letter, in one spelling"],
    ["small-t", "2026-11-21t09:21:00.000Z", "The T is a capital letter, in one spelling"],
    ["leap-second", "2026-12-31T23:59:60.000Z", "A leap second is no instant here"],
    ["hour-24", "2026-11-21T24:00:00.000Z", "Midnight has one spelling"],
    ["february-30", "2026-02-30T09:21:00.000Z", "30 February is no day"],
    ["february-29", "2026-02-29T09:21:00.000Z", "2026 has no 29 February"],
    ["month-13", "2026-13-01T09:21:00.000Z", "There is no thirteenth month"],
    ["year-10000", "10000-01-01T00:00:00.000Z", "The year has four digits"],
    ["year-with-sign", "+002026-11-21T09:21:00.000Z", "The year has four digits and no sign"],
    ["year-1969", "1969-12-31T23:59:59.999Z", "Instants begin with 1970"],
    ["leading-blank", " 2026-11-21T09:21:00.000Z", "A blank is no part of an instant"],
    ["line-end", "2026-11-21T09:21:00.000Z\n", "A line end is no part of an instant"],
    ["other-digits", "2026-11-21T09:21:00.00\u0660Z", "The last digit is an Arabic zero"]
  ] as const
).map(([name, checkedAt, why]) =>
  failCase(`times/check-${name}_fail`, `${why}.`, "checked-at", "USAGE", { artifact: recordAlone, checkedAt })
)

const accepted: ReadonlyArray<Case> = [
  "2026-11-21T09:15:00.000+01:00",
  "2026-11-21T09:15:00Z",
  "2026-11-31T09:15:00.000Z"
].map((acceptedAt, index) =>
  failCase(
    `times/in-record-${["offset", "no-milliseconds", "november-31"][index]}_fail`,
    `The record gives the acceptance the time ${acceptedAt}, which is no instant.`,
    "record-form",
    "FIELD_TYPE",
    recordOf({ payload: { ...record, acceptedAt } })
  )
)

export const timesCases: ReadonlyArray<Case> = [validity, revocations, future, forms, accepted].flat()
