/** Headers of signatures: algorithms, members and encodings, each under a valid signature. */
import { createHmac } from "node:crypto"
import { base64url, jcs, keys, type Members, signBytes, signPayload } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, okCase, recordAlone } from "./case-builders.ts"
import { headerOf, record, recordJws, recordOf, segmentChanged } from "./record-jws.ts"

const envelope = "artifact-envelope"

const algorithms: ReadonlyArray<Case> = [
  ["none", "none", "A signature of nobody is none"],
  ["none-in-capitals", "nOnE", "Some libraries compare the word none by its lower-case letters only"],
  ["es256", "ES256", "Another algorithm is named than the key has"],
  ["fully-specified", "Ed25519", "RFC 9864 gives the algorithm a second name; a record has one spelling"],
  ["empty", "", "The algorithm is empty"],
  ["list", ["EdDSA"], "The algorithm is a list, which a loose comparison takes for its only text"],
  ["missing", undefined, "The algorithm is missing"]
].map(([name, alg, why]) =>
  failCase(`jws/alg-${name}_fail`, `${why}.`, envelope, "JWS_ALG", recordOf({ header: headerOf({ alg }) }))
)

const keyed: Case = failCase(
  "jws/alg-hs256-with-public-key_fail",
  "The public key is the secret of an HMAC; a library that takes the algorithm from the header accepts it.",
  envelope,
  "JWS_ALG",
  {
    artifact: () => {
      const input = `${base64url(jcs(headerOf({ alg: "HS256" })))}.${base64url(jcs(record))}`
      const secret = Buffer.from(keys.RECORD.jwk.x, "base64url")
      return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`
    }
  }
)

const unsigned: Case = failCase(
  "jws/alg-none-unsigned_fail",
  "Where nothing is signed there is no third segment, and an empty one is no signature.",
  envelope,
  "JWS_ENCODING",
  { artifact: () => segmentChanged(recordJws({ header: headerOf({ alg: "none" }) }), 2, () => "") }
)

const members: ReadonlyArray<Case> = [
  ["jwk", { jwk: keys.stranger.jwk }, "A header that brings its key asks to be believed for itself"],
  ["jku", { jku: "https://keys.example/set" }, "A header that says where its key is sends the verifier out"],
  ["x5u", { x5u: "https://keys.example/chain" }, "A header that says where its certificate is sends the verifier out"],
  ["x5c", { x5c: ["AAAA"] }, "A header that brings its certificate asks to be believed for itself"],
  ["x5t", { x5t: "AAAA" }, "A thumbprint names a key in a second way"],
  ["crit", { crit: ["exp"], exp: 1 }, "An extension that must be understood is not"],
  ["crit-twice", { crit: ["exp", "exp"], exp: 1 }, "A critical extension is named twice, which RFC 7515 forbids"],
  ["crit-empty", { crit: [] }, "A list of critical extensions may not be empty"],
  ["crit-dangling", { crit: ["exp"] }, "A critical extension is named and not there"],
  ["unencoded-payload", { crit: ["b64"], b64: false }, "With b64 false the same text has another payload"],
  ["unencoded-without-crit", { b64: false }, "Without crit a library ignores b64, and another does not"],
  ["zip", { zip: "DEF" }, "A packed payload can be unpacked into anything"],
  ["cty", { cty: "json" }, "A content type is a second word on what the payload is"],
  ["constructor", { constructor: 1 }, "An inherited name is a member like any other, and not one of the three"],
  ["unknown", { note: "x" }, "A header has exactly three members"]
].map(([name, changes, why]) =>
  failCase(
    `jws/header-${name as string}_fail`,
    `${why as string}.`,
    envelope,
    "JWS_HEADER_MEMBER",
    recordOf({ header: headerOf(changes as object) })
  )
)

const canonical = jcs(headerOf())
const prototype: Case = failCase(
  "jws/header-proto_fail",
  "The member __proto__ is one more member, and no way to inherit the algorithm.",
  envelope,
  "JWS_HEADER_MEMBER",
  recordOf({ header: canonical.replace("{", '{"__proto__":{"alg":"EdDSA"},') })
)

const spellings: ReadonlyArray<Case> = [
  ["blank", canonical.replace(":", ": "), "A blank in the header makes a second spelling of one signature"],
  ["line-end", `${canonical}\n`, "A line end after the header is a second spelling"],
  ["order", `{"kid":"key-record","alg":"EdDSA","typ":"${headerOf()["typ"]}"}`, "The members are in another order"],
  ["escape", canonical.replace("EdDSA", "\\u0045dDSA"), "An escape is a second spelling of the same algorithm"],
  ["twice", canonical.replace("{", '{"alg":"none",'), "The algorithm stands there twice, and the first is none"],
  ["list", `[${canonical}]`, "The header is a list that holds the right header"],
  ["kid-missing", jcs(headerOf({ kid: undefined })), "A signature without a key's name could be anybody's"],
  ["kid-number", jcs(headerOf({ kid: 1 })), "A key's name is a text"],
  ["kid-empty", jcs(headerOf({ kid: "" })), "A key's name has at least one character"],
  ["kid-too-long", jcs(headerOf({ kid: "k".repeat(201) })), "A key's name has 200 characters at most"],
  [
    "typ-missing",
    jcs(headerOf({ typ: undefined })),
    "A signature that does not say of what it is serves for everything"
  ]
].map(([name, header, why]) =>
  failCase(`jws/header-form-${name}_fail`, `${why}.`, envelope, "JWS_HEADER_FORM", recordOf({ header: header! }))
)

const longest: Case = okCase("jws/header-kid-200-characters_ok", "A key's name may have 200 characters.", {
  ...recordOf({ header: headerOf({ kid: "k".repeat(200) }) }),
  forgery: { trust: (file) => void (file["keys"][2].kid = "k".repeat(200)) }
})

const pairs: ReadonlyArray<Case> = [
  okCase("jws/header-kid-100-pairs_ok", "A character beyond U+FFFF counts as two, and a hundred of them fit.", {
    ...recordOf({ header: headerOf({ kid: "😀".repeat(100) }) }),
    forgery: { trust: (file) => void (file["keys"][2].kid = "😀".repeat(100)) }
  }),
  failCase(
    "jws/header-form-kid-101-pairs_fail",
    "A character beyond U+FFFF counts as two, and a hundred and one are too many.",
    envelope,
    "JWS_HEADER_FORM",
    {
      ...recordOf({ header: headerOf({ kid: "😀".repeat(101) }) }),
      forgery: { trust: (file) => void (file["keys"][2].kid = "😀".repeat(101)) }
    }
  ),
  failCase(
    "jws/header-form-too-long_fail",
    "The header has more than 1,024 bytes.",
    envelope,
    "JWS_HEADER_FORM",
    recordOf({ header: headerOf({ kid: "k".repeat(1_000) }) })
  )
]

const textOf = (segment: string): string => Buffer.from(segment, "base64url").toString()

const resigned = (jws: string, changes: Members, by: "PACKAGE" | "stranger"): string => {
  const [header, payload] = jws.split(".").map(textOf) as [string, string]
  return signBytes(jcs({ ...JSON.parse(header), ...changes }), payload, keys[by].privateKey)
}

/** A forged header, at a place inside another file or object. */
const places: ReadonlyArray<Case> = [
  failCase(
    "jws/header-form-byte-order-mark_fail",
    "A byte order mark before the header of a status is refused as everywhere.",
    "status-signature",
    "JWS_HEADER_FORM",
    {
      artifact: recordAlone,
      status: ({ status }) => ({ status: segmentChanged(status, 0, (one) => base64url(`\ufeff${textOf(one)}`)) })
    }
  ),
  failCase(
    "jws/alg-none-in-package_fail",
    "The package's header says that it is not signed.",
    "package-signature",
    "JWS_ALG",
    { forgery: { review: (file) => ({ ...file, record: resigned(file["record"], { alg: "none" }, "PACKAGE") }) } }
  ),
  failCase(
    "jws/header-jwk-in-event_fail",
    "An event's header brings a stranger's key, and the stranger has signed the event.",
    "event-signature",
    "JWS_HEADER_MEMBER",
    {
      forgery: {
        signEvent: (event, index) =>
          index === 2 ? resigned(signPayload("EVENT", event), { jwk: keys.stranger.jwk }, "stranger") : undefined
      }
    }
  ),
  failCase(
    "jws/header-kid-twice-in-record_fail",
    "The header of the record in the package names two keys under one name.",
    "record-signature",
    "JWS_HEADER_FORM",
    {
      forgery: {
        signRecord: (record) => recordJws({ header: canonical.replace("{", '{"kid":"key-event",'), payload: record })
      }
    }
  )
]

export const headerCases: ReadonlyArray<Case> = [
  algorithms,
  keyed,
  unsigned,
  members,
  prototype,
  spellings,
  longest,
  pairs,
  places
].flat()
