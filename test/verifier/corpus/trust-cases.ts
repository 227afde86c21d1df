/** Key files: one fault makes the whole file invalid, and no artifact verifies without one. */
import { base64url, jcs, keys, type Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"
import { smallPoints } from "./curve-points.ts"

const check = "trust-file"

/** The record alone under a key file with this fault. */
const file = (edit: (file: Members) => unknown): CaseInputs => ({ artifact: recordAlone, forgery: { trust: edit } })
const key = (changes: Members): CaseInputs => file(({ keys }) => void Object.assign(keys[0], changes))
const jwk = (changes: Members): CaseInputs => key({ jwk: { ...keys.EVENT.jwk, ...changes } })
const point = (hex: string): CaseInputs => jwk({ x: base64url(Buffer.from(hex, "hex")) })
const text = (change: (text: string) => string | Uint8Array): CaseInputs => ({
  artifact: recordAlone,
  trust: ({ trust }) => change(jcs(trust))
})

const faults: ReadonlyArray<readonly [name: string, why: string, making: CaseInputs]> = [
  ["another-version", "A newer schema may mean something else", file((one) => void (one["schema"] += "2"))],
  ["unknown-member", "A member that the schema does not have", file((one) => void (one["note"] = "x"))],
  ["no-issuer", "The file does not say whose keys these are", file((one) => void delete one["issuer"])],
  ["empty-issuer", "The issuer has no name", file((one) => void (one["issuer"] = ""))],
  [
    "no-environment",
    "The file does not say which environment it is for",
    file((one) => void delete one["environment"])
  ],
  ["no-keys", "A file without a key trusts nobody", file((one) => void (one["keys"] = []))],
  ["keys-by-name", "The keys are an object by name instead of a list", file((one) => void (one["keys"] = {}))],
  ["kid-twice", "Two keys have one name", file(({ keys }) => void (keys[1].kid = keys[0].kid))],
  ["key-twice", "One key stands there under two names", file(({ keys }) => void (keys[1].jwk = keys[0].jwk))],
  ["kid-empty", "A key has an empty name", key({ kid: "" })],
  ["kid-number", "A key's name is a number", key({ kid: 7 })],
  ["unknown-member-of-key", "A key has a member more than its schema", key({ alg: "EdDSA" })],
  ["unknown-purpose", "A purpose that the format does not have", key({ purposes: ["EVENT", "ALL"] })],
  ["purpose-twice", "A purpose stands there twice", key({ purposes: ["EVENT", "EVENT"] })],
  ["no-purpose", "A key without a purpose is good for nothing", key({ purposes: [] })],
  ["validity-empty", "The validity ends when it begins", key({ validUntil: "2026-01-01T00:00:00.000Z" })],
  ["validity-reversed", "The validity ends before it begins", key({ validUntil: "2025-12-31T23:59:59.999Z" })],
  ["instant-with-offset", "An instant is in UTC with a Z", key({ validFrom: "2026-01-01T00:00:00.000+00:00" })],
  ["instant-without-milliseconds", "An instant has three fraction digits", key({ validFrom: "2026-01-01T00:00:00Z" })],
  ["instant-that-does-not-exist", "30 February is no day", key({ validFrom: "2026-02-30T00:00:00.000Z" })],
  ["revoked-at-missing", "A key that does not say whether it was revoked", key({ revokedAt: undefined })],
  ["revoked-at-word", "A revocation has a time", key({ revokedAt: false })],
  [
    "private-key",
    "A private key was put into a file that goes from hand to hand",
    jwk({ d: base64url(Buffer.alloc(32, 1)) })
  ],
  ["key-for-encryption", "A key for encryption signs nothing", jwk({ use: "enc" })],
  ["key-type", "The key is no octet key pair", jwk({ kty: "EC" })],
  ["another-curve", "The key says that it is on another curve", jwk({ crv: "Ed448" })],
  ["x-padded", "The point has padding, a second spelling", jwk({ x: `${keys.EVENT.jwk.x}=` })],
  ["x-short", "The point has 31 bytes", jwk({ x: base64url(Buffer.alloc(31, 1)) })],
  [
    "x-standard-alphabet",
    "The point is in the alphabet with plus and slash",
    jwk({ x: `+/${keys.EVENT.jwk.x.slice(2)}` })
  ],
  ["x-trailing-bits", "The point has bits that no byte uses", jwk({ x: nextLetter(keys.EVENT.jwk.x) })]
]

function nextLetter(x: string): string {
  return x.slice(0, -1) + String.fromCharCode(x.charCodeAt(x.length - 1) + 1)
}

const weak: ReadonlyArray<readonly [name: string, why: string, making: CaseInputs]> = [
  ["point-zero", "A key of zeros is a point of order four", point(smallPoints.orderFour)],
  ["point-neutral", "Under the neutral element one signature serves many messages", point(smallPoints.identity)],
  ["point-neutral-with-sign", "The neutral element in its second spelling", point(smallPoints.identityWithSign)],
  ["point-neutral-not-reduced", "The neutral element in its third spelling", point(smallPoints.identityNotReduced)],
  ["point-of-order-two", "A point of order two has no secret", point(smallPoints.orderTwo)],
  ["point-of-order-eight", "A point of order eight has no secret", point(smallPoints.orderEight)],
  ["point-not-reduced", "A y of at least p is a second spelling of a point", point(`f0${"ff".repeat(30)}7f`)]
]

const bytes: ReadonlyArray<readonly [name: string, code: string, why: string, making: CaseInputs]> = [
  ["empty", "INPUT_NOT_JSON", "An empty file holds no keys", text(() => "")],
  ["trailing-text", "INPUT_NOT_JSON", "Something follows the document", text((one) => `${one}x`)],
  ["byte-order-mark", "INPUT_ENCODING", "The file begins with a byte order mark", text((one) => `\ufeff${one}`)],
  [
    "not-utf8",
    "INPUT_ENCODING",
    "The file is in another encoding",
    text((one) => Buffer.from(one.replace("Test", "T\u00e9st"), "latin1"))
  ],
  ["escaped-nul", "INPUT_ENCODING", "U+0000 is in the issuer's name", text((one) => one.replace("Test", "\\u0000"))],
  ["member-twice", "DUPLICATE_KEY", "Two issuers in one file", text((one) => one.replace("{", '{"issuer":"A",'))],
  ["jwk-member-twice", "DUPLICATE_KEY", "A key has two points", text((one) => one.replace('"x":', '"x":"AA","x":'))],
  ["number", "NUMBER_FORM", "A fraction stands where an instant belongs", text((one) => one.replace("null", "1.5"))],
  [
    "33-levels",
    "LIMIT_DEPTH",
    "The file is nested too deeply",
    text((one) => one.replace("null", "[".repeat(30) + "]".repeat(30)))
  ],
  ["too-long", "LIMIT_SIZE", "The file is one byte longer than 262,144", text((one) => one.padEnd(262_145))]
]

export const trustCases: ReadonlyArray<Case> = [
  okCase("trust/members-in-any-order_ok", "The key file is not signed, and its members may stand in any order.", {
    artifact: recordAlone,
    trust: ({ trust: { schema, issuer, environment, keys } }) => ({
      keys: keys.toReversed().map((one: Members) => Object.fromEntries(Object.entries(one).toReversed())),
      environment,
      issuer,
      schema
    })
  }),
  okCase(
    "trust/one-line_ok",
    "The key file may be written in one line.",
    text((one) => one)
  ),
  okCase(
    "trust/white-space_ok",
    "White space in the key file changes nothing.",
    text((one) => `\n ${one}\r\n\t`)
  ),
  okCase(
    "trust/bytes-at-limit_ok",
    "A key file may have 262,144 bytes.",
    text((one) => one.padEnd(262_144))
  ),
  failCase(
    "trust/bundle_fail",
    "The keys that travelled with the file are given as the key file: that would let it vouch for itself.",
    check,
    "TRUST_BUNDLE",
    { artifact: recordAlone, trust: ({ review }) => review["trust"] }
  ),
  failCase(
    "trust/artifact-as-key-file_fail",
    "The exported file itself is given as the key file.",
    check,
    "TRUST_FILE",
    { artifact: recordAlone, trust: ({ record }) => ({ schema: "service.result-review/v1", record }) }
  ),
  ...["__proto__", "constructor"].flatMap((name) => [
    failCase(
      `trust/${name.replaceAll("_", "")}_fail`,
      `The file has a member ${name}, which its schema does not have.`,
      check,
      "TRUST_FILE",
      text((one) => one.replace("{", `{"${name}":{"issuer":"A"},`))
    ),
    failCase(
      `trust/jwk-${name.replaceAll("_", "")}_fail`,
      `A key has a member ${name}, which it could inherit from.`,
      check,
      "TRUST_FILE",
      text((one) => one.replace('"jwk":{', `"jwk":{"${name}":{},`))
    )
  ]),
  ...faults.map(([name, why, making]) => failCase(`trust/${name}_fail`, `${why}.`, check, "TRUST_FILE", making)),
  ...weak.map(([name, why, making]) => failCase(`trust/${name}_fail`, `${why}.`, check, "KEY_WEAK", making)),
  ...bytes.map(([name, code, why, making]) => failCase(`trust/${name}_fail`, `${why}.`, check, code, making))
]
