/** Forgeries of the signer, the key, the time and the signed bytes. */
import { describe } from "vitest"
import {
  editAgreement,
  editContent,
  editKey,
  editManifest,
  editPackage,
  hex,
  refuseEach,
  signText,
  type ForgeryRow
} from "./forgeries.ts"
import { makeSample } from "./sample.ts"
import { at, jcs, keys, kid, sha256, signBytes, signPayload } from "./signing.ts"

const envelopes: ReadonlyArray<ForgeryRow> = [
  [
    "an unknown member beside the record",
    { review: (file) => ({ ...file, extra: 1 }) },
    "artifact-envelope",
    "UNKNOWN_MEMBER"
  ],
  [
    "a __proto__ member",
    { review: (file) => JSON.parse(`{"__proto__":{"a":1},${JSON.stringify(file).slice(1)}`) },
    "artifact-envelope",
    "UNKNOWN_MEMBER"
  ],
  ["a missing record", { review: (file) => void delete file["record"] }, "artifact-envelope", "MISSING_MEMBER"],
  [
    "a newer envelope",
    { review: (file) => ({ ...file, schema: "service.result-review/v2" }) },
    "artifact-envelope",
    "VERSION"
  ],
  [
    "a list in place of the record",
    { review: (file) => ({ ...file, record: [file["record"]] }) },
    "artifact-envelope",
    "FIELD_TYPE"
  ],
  [
    "a key that is not in the key file",
    { signPackage: (content) => signPayload("PACKAGE", content, "stranger") },
    "package-signature",
    "ISSUER_NOT_TRUSTED"
  ],
  [
    "an untrusted signature under a trusted kid",
    {
      signPackage: (content) =>
        signBytes(
          jcs({ alg: "EdDSA", kid: kid("PACKAGE"), typ: content["schema"] }),
          jcs(content),
          keys.stranger.privateKey
        )
    },
    "package-signature",
    "SIGNATURE_INVALID"
  ],
  [
    "the status key on the package",
    { signPackage: (content) => signPayload("PACKAGE", content, "STATUS") },
    "package-signature",
    "KEY_ROLE"
  ],
  [
    "a record in the package's place",
    { review: (file) => ({ ...file, record: makeSample().record }) },
    "package-signature",
    "JWS_TYPE"
  ],
  [
    "a status in the package's place",
    { review: (file) => ({ ...file, record: file["status"] }) },
    "package-signature",
    "JWS_TYPE"
  ],
  [
    "white space in the signed bytes",
    { signPackage: (content) => signText(JSON.stringify(JSON.parse(jcs(content)), null, 1)) },
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "another order in the signed bytes",
    { signPackage: ({ schema, ...content }) => signText(`{"schema":${jcs(schema)},${jcs(content).slice(1)}`) },
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "an escape in the signed bytes",
    { signPackage: (content) => signText(jcs(content).replace("Buyer", "\\u0042uyer")) },
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "a duplicate member in the signed bytes",
    {
      signPackage: (content) =>
        signText(jcs(content).replace('"schema"', '"schema":"service.result-package/v2","schema"'))
    },
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "a fraction in the signed bytes",
    editAgreement((agreement) => (agreement["terms"].price = 1.5)),
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "U+0000 in the signed bytes",
    editAgreement((agreement) => (agreement["terms"].title = "a\u0000b")),
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "33 levels in the signed bytes",
    editAgreement((agreement) => (agreement["terms"].deep = JSON.parse("[".repeat(31) + "]".repeat(31)))),
    "package-signature",
    "PAYLOAD_NOT_CANONICAL"
  ],
  [
    "another schema than its typ",
    { signPackage: (content) => signText(jcs({ ...content, schema: "service.result-package/v3" })) },
    "package-signature",
    "JWS_TYPE"
  ],
  [
    "an instant without milliseconds",
    editPackage((content) => (content["issuedAt"] = "2026-11-21T09:20:00Z")),
    "package-signature",
    "FIELD_TYPE"
  ],
  [
    "30 February",
    editPackage((content) => (content["issuedAt"] = "2026-02-30T09:20:00.000Z")),
    "package-signature",
    "FIELD_TYPE"
  ],
  [
    "a time 1 ms after the check",
    editPackage((content) => (content["issuedAt"] = at(21, 1))),
    "package-signature",
    "TIME_FUTURE"
  ],
  [
    "an unknown member of the package",
    editPackage((content) => (content["extra"] = null)),
    "package-form",
    "UNKNOWN_MEMBER"
  ],
  [
    "a package without its manifest",
    editPackage((content) => delete content["manifest"]),
    "package-form",
    "MISSING_MEMBER"
  ]
]

const validity: ReadonlyArray<ForgeryRow> = [
  [
    "a signature 1 ms before validFrom",
    editKey("PACKAGE", (key) => (key["validFrom"] = at(20, 1))),
    "package-signature",
    "KEY_NOT_VALID_AT_SIGNING"
  ],
  [
    "a signature at validUntil",
    editKey("PACKAGE", (key) => (key["validUntil"] = at(20))),
    "package-signature",
    "KEY_NOT_VALID_AT_SIGNING"
  ],
  [
    "a signature at the revocation",
    editKey("PACKAGE", (key) => (key["revokedAt"] = at(20))),
    "package-signature",
    "KEY_REVOKED"
  ],
  [
    "an event after the revocation of its key",
    editKey("EVENT", (key) => (key["revokedAt"] = at(12))),
    "event-signature",
    "KEY_REVOKED"
  ],
  [
    "a record before its key was valid",
    editKey("RECORD", (key) => (key["validFrom"] = at(18, 1))),
    "record-signature",
    "KEY_NOT_VALID_AT_SIGNING"
  ],
  [
    "authority signed after validUntil",
    editKey("AUTHORITY", (key) => (key["validUntil"] = at(3))),
    "authority-signature",
    "KEY_NOT_VALID_AT_SIGNING"
  ]
]

const inner: ReadonlyArray<ForgeryRow> = [
  [
    "an event signed by an untrusted key",
    { signEvent: (event, index) => (index === 4 ? signPayload("EVENT", event, "stranger") : undefined) },
    "event-signature",
    "ISSUER_NOT_TRUSTED"
  ],
  [
    "an event signed by the package key",
    { signEvent: (event, index) => (index === 4 ? signPayload("EVENT", event, "PACKAGE") : undefined) },
    "event-signature",
    "KEY_ROLE"
  ],
  [
    "an event without a signature",
    { signEvent: (event, index) => (index === 4 ? signPayload("EVENT", event).replace(/[^.]*$/, "") : undefined) },
    "event-signature",
    "JWS_ENCODING"
  ],
  [
    "a signature moved to another event",
    {
      signEvent: (event, index) =>
        index === 4
          ? signPayload("EVENT", event).replace(
              /[^.]*$/,
              signPayload("EVENT", { ...event, requestId: "x" }).split(".")[2]!
            )
          : undefined
    },
    "event-signature",
    "SIGNATURE_INVALID"
  ],
  [
    "a record signed by the event key",
    { signRecord: (record) => signPayload("RECORD", record, "EVENT") },
    "record-signature",
    "KEY_ROLE"
  ],
  [
    "a record signed by an untrusted key",
    { signRecord: (record) => signPayload("RECORD", record, "stranger") },
    "record-signature",
    "ISSUER_NOT_TRUSTED"
  ],
  [
    "an event in the record's place",
    editContent((content) => (content["record"] = content["events"][0])),
    "record-signature",
    "JWS_TYPE"
  ],
  [
    "authority signed by the event key",
    { signAuthority: (event) => signPayload("AUTHORITY", event, "EVENT") },
    "authority-signature",
    "KEY_ROLE"
  ]
]

const manifests: ReadonlyArray<ForgeryRow> = [
  ["a missing manifest entry", editManifest((manifest) => manifest.pop()), "manifest-set", "MANIFEST_SET"],
  [
    "an extra manifest entry",
    editManifest((manifest) => manifest.push({ ...manifest[1], id: hex("a") })),
    "manifest-set",
    "MANIFEST_SET"
  ],
  [
    "a duplicate manifest entry",
    editManifest((manifest) => (manifest[2] = manifest[1])),
    "manifest-set",
    "MANIFEST_SET"
  ],
  [
    "two manifest entries exchanged",
    editManifest((manifest) => manifest.splice(1, 2, manifest[2], manifest[1])),
    "manifest-set",
    "MANIFEST_SET"
  ],
  ["a wrong size", editManifest((manifest) => manifest[3].bytes++), "manifest-entry", "MANIFEST_ENTRY"],
  ["a wrong kind", editManifest((manifest) => (manifest[3].kind = "record")), "manifest-entry", "MANIFEST_ENTRY"],
  ["a wrong digest", editManifest((manifest) => (manifest[0].digest = hex("0"))), "manifest-entry", "DIGEST_MISMATCH"],
  [
    "the digest of the base64 text",
    editPackage((content) => (content["manifest"][1].digest = sha256(content["events"][0].split(".")[1]))),
    "manifest-entry",
    "DIGEST_MISMATCH"
  ],
  [
    "the digest of the envelope",
    editPackage((content) => (content["manifest"][1].digest = sha256(content["events"][0]))),
    "manifest-entry",
    "DIGEST_MISMATCH"
  ],
  [
    "the digest of indented text",
    editPackage((content) => (content["manifest"][0].digest = sha256(JSON.stringify(content["agreement"], null, 2)))),
    "manifest-entry",
    "DIGEST_MISMATCH"
  ],
  ["a digest in capitals", editManifest((manifest) => (manifest[0].digest = hex("A"))), "package-form", "DIGEST_FORM"],
  [
    "a digest with a prefix",
    editManifest((manifest) => (manifest[0].digest = `sha256:${hex("a")}`)),
    "package-form",
    "DIGEST_FORM"
  ]
]

describe("a forged envelope or outer signature", () => refuseEach(envelopes))
describe("a key that was not valid when it signed", () => refuseEach(validity))
describe("a forged inner signature in a package that was signed again", () => refuseEach(inner))
describe("a forged manifest", () => refuseEach(manifests))
