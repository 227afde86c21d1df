/** The format of JWS: their kind, the encoding of their segments, and their serialization. */
import { sign } from "node:crypto"
import { base64url, keys, signPayload } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, recordAlone } from "./case-builders.ts"
import { headerOf, record, recordJws, recordOf, segmentChanged } from "./record-jws.ts"

const envelope = "artifact-envelope"

const kinds: ReadonlyArray<Case> = [
  failCase(
    "jws/kind-event_fail",
    "The signature of a single event is no artifact, however good it is.",
    envelope,
    "KIND",
    { artifact: ({ package: content }) => content["events"][0] }
  ),
  failCase(
    "jws/kind-unknown_fail",
    "A record under the type of web tokens is none of the artifacts.",
    envelope,
    "KIND",
    recordOf({ header: headerOf({ typ: "JWT" }) })
  ),
  failCase(
    "jws/type-record-as-package_fail",
    "A genuine record stands where the package belongs.",
    "package-signature",
    "JWS_TYPE",
    { forgery: { review: (file) => ({ ...file, record: recordJws() }) } }
  ),
  failCase(
    "jws/type-status-as-record_fail",
    "A genuine status stands where the record belongs, in a package that was signed again.",
    "record-signature",
    "JWS_TYPE",
    {
      forgery: {
        content: (content) =>
          void (content["record"] = signPayload("STATUS", { ...record, schema: "service.agent-status/v1" }))
      }
    }
  ),
  failCase(
    "jws/type-schema-differs_fail",
    "The header says record and the payload says package; the header decides, and they must agree.",
    "record-signature",
    "JWS_TYPE",
    recordOf({ payload: { ...record, schema: "service.result-package/v2" } })
  )
]

const trailingBits = (segment: string): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return segment.slice(0, -1) + alphabet[alphabet.indexOf(segment.at(-1)!) + 1]!
}

/** The record's JWS with such bits in its header or payload, signed in this encoding. */
const signedWithBits = (jws: string, place: 0 | 1): string => {
  const input = segmentChanged(jws, place, trailingBits).replace(/\.[^.]*$/, "")
  return `${input}.${base64url(sign(null, Buffer.from(input), keys.RECORD.privateKey))}`
}

/** The package's JWS with one segment changed, in the exported file. */
const inFile = (place: 0 | 1 | 2, change: (segment: string) => string): CaseInputs => ({
  forgery: { review: (file) => ({ ...file, record: segmentChanged(file["record"], place, change) }) }
})
/** The status's JWS with one segment changed, in a status file with the record. */
const inStatus = (place: 0 | 1 | 2, change: (segment: string) => string): CaseInputs => ({
  artifact: recordAlone,
  status: ({ status }) => ({ status: segmentChanged(status, place, change) })
})
const encoding = "JWS_ENCODING"

const encodings: ReadonlyArray<Case> = [
  failCase(
    "jws/encoding-bits-in-signature_fail",
    "The last character of the signature has bits that no byte uses: a second spelling of one record.",
    envelope,
    encoding,
    { artifact: () => segmentChanged(recordJws(), 2, trailingBits) }
  ),
  failCase(
    "jws/encoding-bits-in-header_fail",
    "The last character of the header has bits that no byte uses, and is signed that way.",
    envelope,
    encoding,
    {
      artifact: () => signedWithBits(recordJws({ header: headerOf({ kid: "key-record0" }) }), 0),
      forgery: { trust: (file) => void (file["keys"][2].kid = "key-record0") }
    }
  ),
  failCase(
    "jws/encoding-bits-in-payload_fail",
    "The last character of the payload has bits that no byte uses, and the signature is over that spelling.",
    envelope,
    encoding,
    { artifact: () => signedWithBits(recordJws(), 1) }
  ),
  failCase(
    "jws/encoding-padding_fail",
    "Padding after the signature is a second spelling.",
    "package-signature",
    encoding,
    inFile(2, (segment) => `${segment}==`)
  ),
  failCase(
    "jws/encoding-line-end_fail",
    "A line end inside the payload's segment is passed over by loose decoders.",
    "package-signature",
    encoding,
    inFile(1, (segment) => `${segment.slice(0, 76)}\n${segment.slice(76)}`)
  ),
  failCase(
    "jws/encoding-blank-in-status_fail",
    "A blank in the header's segment of a status fails the status and leaves the history as proven as it was.",
    "status-signature",
    encoding,
    inStatus(0, (segment) => `${segment.slice(0, 4)} ${segment.slice(4)}`)
  ),
  failCase(
    "jws/encoding-standard-alphabet_fail",
    "The signature of a status is in the alphabet with plus and slash.",
    "status-signature",
    encoding,
    inStatus(2, (segment) => segment.replaceAll("-", "+").replaceAll("_", "/"))
  ),
  failCase(
    "jws/encoding-padded-status_fail",
    "Padding after the payload of a status is a second spelling.",
    "status-signature",
    encoding,
    inStatus(1, (segment) => `${segment}=`)
  )
]

/** The record's JWS in the JSON serialization of RFC 7515, with this number of signatures. */
const general = (count: number) => {
  const [header, payload, signature] = recordJws().split(".")
  return { payload, signatures: Array.from({ length: count }, () => ({ protected: header, signature })) }
}

const forms: ReadonlyArray<Case> = [
  failCase("jws/form-record-of-four-segments_fail", "A fourth segment stands after a record.", envelope, "JWS_FORM", {
    artifact: () => `${recordJws()}.AAAA`
  }),
  failCase(
    "jws/form-detached-payload_fail",
    "The payload is not in the signature but somewhere else.",
    envelope,
    encoding,
    {
      artifact: () => segmentChanged(recordJws(), 1, () => "")
    }
  ),
  failCase(
    "jws/form-two-segments_fail",
    "A package without its signature proves nothing.",
    "package-signature",
    "JWS_FORM",
    { forgery: { review: (file) => ({ ...file, record: file["record"].replace(/\.[^.]*$/, "") }) } }
  ),
  failCase(
    "jws/form-four-segments_fail",
    "A fourth segment says something that nobody signed.",
    "package-signature",
    "JWS_FORM",
    { forgery: { review: (file) => ({ ...file, record: `${file["record"]}.AAAA` }) } }
  ),
  failCase(
    "jws/form-event-of-two-segments_fail",
    "One event lost its signature; the package round it was signed again.",
    "event-signature",
    "JWS_FORM",
    { forgery: { content: (content) => void (content["events"][2] = content["events"][2].replace(/\.[^.]*$/, "")) } }
  ),
  failCase(
    "jws/form-flattened_fail",
    "The package's signature is written as a JSON object with an unprotected header; only the compact form counts.",
    envelope,
    "FIELD_TYPE",
    {
      forgery: {
        review: (file) => {
          const [header, payload, signature] = file["record"].split(".")
          return { ...file, record: { payload, protected: header, header: { kid: "key-package" }, signature } }
        }
      }
    }
  ),
  failCase(
    "jws/form-general-without-signatures_fail",
    "The record alone is a JSON object with an empty list of signatures, every one of which is good.",
    envelope,
    "MISSING_MEMBER",
    { artifact: () => general(0) }
  ),
  failCase(
    "jws/form-general-with-two-signatures_fail",
    "The record alone is a JSON object with two good signatures; only the compact form counts.",
    envelope,
    "MISSING_MEMBER",
    { artifact: () => general(2) }
  ),
  failCase(
    "jws/form-general_fail",
    "The record in the package is a JSON object with two signatures, one of them good.",
    "package-form",
    "FIELD_TYPE",
    {
      forgery: {
        package: (content) => {
          const [header, payload, signature] = content["record"].split(".")
          const signatures = [
            { protected: header, signature: "AAAA" },
            { protected: header, signature }
          ]
          return { ...content, record: { payload, signatures } }
        }
      }
    }
  )
]

export const jwsCases: ReadonlyArray<Case> = [kinds, encodings, forms].flat()
