/** The signing key: unknown keys, keys of others, keys for another purpose, and bytes replaced under a valid signature. */
import { sign } from "node:crypto"
import { base64url, jcs, keyPair, keys, kid, type Members, signBytes, signPayload, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, okCase, recordAlone } from "./case-builders.ts"
import { headerOf, record, recordJws, recordOf, segmentChanged } from "./record-jws.ts"

const check = "record-signature"

const packageKey = (file: Members): Members => file["trust"].keys.find((key: Members) => key["kid"] === kid("PACKAGE"))

const unknown: ReadonlyArray<Case> = [
  failCase(
    "keys/stranger_fail",
    "A key that the key file does not have signed the record.",
    check,
    "ISSUER_NOT_TRUSTED",
    recordOf({ header: headerOf({ kid: "key-stranger" }), key: keys.stranger.privateKey })
  ),
  failCase(
    "keys/stranger-on-status_fail",
    "A key that the key file does not have signed the status; the record beside it is proven as before.",
    "status-signature",
    "ISSUER_NOT_TRUSTED",
    {
      artifact: recordAlone,
      status: (sample) => sample.status,
      forgery: { signStatus: (status) => signPayload("STATUS", status, "stranger") }
    }
  ),
  failCase(
    "keys/stranger-under-trusted-kid_fail",
    "A stranger signed under the name of a trusted key.",
    check,
    "SIGNATURE_INVALID",
    recordOf({ key: keys.stranger.privateKey })
  ),
  failCase(
    "keys/kid-in-capitals_fail",
    "The name of a key is a text, and capitals make another one.",
    check,
    "ISSUER_NOT_TRUSTED",
    recordOf({ header: headerOf({ kid: "KEY-RECORD" }) })
  ),
  failCase(
    "keys/kid-looks-alike_fail",
    "The name of the key has a Cyrillic letter that looks like the Latin one.",
    check,
    "ISSUER_NOT_TRUSTED",
    recordOf({ header: headerOf({ kid: "k\u0435y-record" }) })
  ),
  ...["__proto__", "constructor"].map((name) =>
    failCase(
      `keys/kid-${name.replaceAll("_", "")}_fail`,
      `The key is named ${name}, which a careless table of keys inherits.`,
      check,
      "ISSUER_NOT_TRUSTED",
      recordOf({ header: headerOf({ kid: name }) })
    )
  ),
  okCase("keys/kid-proto_ok", "A trusted key may be named __proto__: a name is a text and nothing else.", {
    ...recordOf({ header: headerOf({ kid: "__proto__" }) }),
    forgery: { trust: (file) => void (file["keys"][2].kid = "__proto__") }
  }),
  failCase(
    "keys/bundle-without-key-file_fail",
    "The stranger's key is in the keys that travel with the file, and nowhere else.",
    "package-signature",
    "ISSUER_NOT_TRUSTED",
    {
      forgery: {
        signPackage: (content) => signPayload("PACKAGE", content, "stranger"),
        review: (file) => {
          const [key] = file["trust"].keys
          file["trust"].keys.push({ ...key, kid: kid("stranger"), jwk: keys.stranger.jwk, purposes: ["PACKAGE"] })
        }
      }
    }
  ),
  failCase(
    "keys/bundle-with-trusted-kid_fail",
    "The enclosed keys hold the attacker's key under a trusted name; enclosed keys are never used.",
    "package-signature",
    "SIGNATURE_INVALID",
    {
      forgery: {
        signPackage: (content) =>
          signBytes(
            jcs({ alg: "EdDSA", kid: kid("PACKAGE"), typ: content["schema"] }),
            jcs(content),
            keyPair(66).privateKey
          ),
        review: (file) => void (packageKey(file).jwk = keyPair(66).jwk)
      }
    }
  ),
  okCase(
    "keys/bundle-of-attacker_ok",
    "Somebody exchanged a key in the enclosed keys; they are not used, and the report says that they differ.",
    { forgery: { review: (file) => void (packageKey(file).jwk = keyPair(66).jwk) } }
  )
]

const purposes: ReadonlyArray<Case> = [
  failCase(
    "keys/status-key-on-record_fail",
    "The key for statuses, which is at hand every minute, signed a record.",
    check,
    "KEY_ROLE",
    recordOf({ header: headerOf({ kid: kid("STATUS") }), key: keys.STATUS.privateKey })
  ),
  failCase(
    "keys/record-key-on-package_fail",
    "The key for records signed a package.",
    "package-signature",
    "KEY_ROLE",
    {
      forgery: { signPackage: (content) => signPayload("PACKAGE", content, "RECORD") }
    }
  ),
  failCase("keys/package-key-on-event_fail", "The key for packages signed one event.", "event-signature", "KEY_ROLE", {
    forgery: { signEvent: (event, index) => (index === 1 ? signPayload("EVENT", event, "PACKAGE") : undefined) }
  }),
  failCase("keys/event-key-on-status_fail", "The key for events signed the status.", "status-signature", "KEY_ROLE", {
    artifact: recordAlone,
    forgery: { signStatus: (status) => signPayload("STATUS", status, "EVENT") },
    status: ({ status }) => status
  }),
  failCase(
    "keys/for-publications-only_fail",
    "The key is good for a purpose that no object here has.",
    check,
    "KEY_ROLE",
    { artifact: recordAlone, forgery: { trust: (file) => void (file["keys"][2].purposes = ["PUBLICATION"]) } }
  ),
  okCase("keys/one-for-every-purpose_ok", "One key may serve every purpose that the key file gives it.", {
    forgery: {
      signEvent: (event) => signPayload("EVENT", event, "PACKAGE"),
      signRecord: (record) => signPayload("RECORD", record, "PACKAGE"),
      signStatus: (status) => signPayload("STATUS", status, "PACKAGE"),
      trust: (file) => {
        file["keys"] = file["keys"].filter((key: Members) => key["kid"] === kid("PACKAGE"))
        file["keys"][0].purposes = ["EVENT", "RECORD", "PACKAGE", "STATUS"]
      }
    }
  }),
  okCase("keys/unused_ok", "A key that signed nothing in this file may stand in the key file.", {
    artifact: recordAlone,
    forgery: {
      trust: (file) =>
        void file["keys"].push({ ...file["keys"][0], kid: "key-next", jwk: keyPair(77).jwk, purposes: ["CLOSURE"] })
    }
  })
]

const issuers: ReadonlyArray<Case> = [
  failCase(
    "keys/issuer-of-record_fail",
    "The record names another issuer than the one whose keys were given.",
    "record-issuer",
    "ISSUER_MISMATCH",
    recordOf({ payload: { ...record, issuer: "Countersign Tests" } })
  ),
  failCase(
    "keys/issuer-of-key-file_fail",
    "The same key stands in the key file of another issuer.",
    "record-issuer",
    "ISSUER_MISMATCH",
    { artifact: recordAlone, forgery: { trust: (file) => void (file["issuer"] = "Someone Else") } }
  ),
  failCase(
    "keys/live-record-by-test-key_fail",
    "A key of the test environment signed a record that claims to be live.",
    "record-issuer",
    "ENVIRONMENT_MISMATCH",
    recordOf({ payload: { ...record, environment: "LIVE" } })
  ),
  failCase(
    "keys/test-record-by-live-key_fail",
    "A key of the live environment signed a record of the test environment.",
    "record-issuer",
    "ENVIRONMENT_MISMATCH",
    { artifact: recordAlone, forgery: { trust: (file) => void (file["environment"] = "LIVE") } }
  ),
  failCase(
    "keys/issuer-in-package_fail",
    "The package is signed well round a record of another issuer.",
    "record-issuer",
    "ISSUER_MISMATCH",
    { forgery: { record: (record) => void (record["issuer"] = "Someone Else") } }
  )
]

const otherId = `record_${uuid(210)}`
const otherPayload = (payload: Members): string => segmentChanged(recordJws(), 1, () => base64url(jcs(payload)))

const exchanged: ReadonlyArray<Case> = [
  failCase("keys/payload-exchanged_fail", "Another record stands under a good signature.", check, "SIGNATURE_INVALID", {
    artifact: () => otherPayload({ ...record, acceptedAt: "2026-11-21T09:15:00.001Z" })
  }),
  failCase(
    "keys/header-exchanged_fail",
    "The header names another trusted key, which serves records too, under the signature of the first.",
    check,
    "SIGNATURE_INVALID",
    {
      artifact: () => segmentChanged(recordJws(), 0, () => base64url(jcs(headerOf({ kid: kid("EVENT") })))),
      forgery: { trust: (file) => void file["keys"][0].purposes.push("RECORD") }
    }
  ),
  failCase(
    "keys/signature-of-another-object_fail",
    "The signature is a good one of the same key, over a record with another number.",
    check,
    "SIGNATURE_INVALID",
    {
      artifact: () =>
        segmentChanged(recordJws(), 2, () => recordJws({ payload: { ...record, recordId: otherId } }).split(".")[2]!)
    }
  ),
  failCase(
    "keys/payload-alone-signed_fail",
    "The key signed the payload without the header, as another protocol would have it.",
    check,
    "SIGNATURE_INVALID",
    {
      artifact: () =>
        segmentChanged(recordJws(), 2, () => base64url(sign(null, Buffer.from(jcs(record)), keys.RECORD.privateKey)))
    }
  )
]

export const keysCases: ReadonlyArray<Case> = [unknown, purposes, issuers, exchanged].flat()
