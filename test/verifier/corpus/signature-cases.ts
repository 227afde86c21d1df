/** 64 bytes that are not a valid signature, or are one that no honest signer makes. */
import { base64url, keys } from "../signing.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, recordAlone } from "./case-builders.ts"
import { malleated, signWithoutNonce, smallPoints } from "./curve-points.ts"
import { recordJws, segmentChanged } from "./record-jws.ts"

const check = "record-signature"
const code = "SIGNATURE_INVALID"

const signed = (change: (signature: Buffer) => Uint8Array): CaseInputs => ({
  artifact: () => segmentChanged(recordJws(), 2, (one) => base64url(change(Buffer.from(one, "base64url"))))
})
const inStatus = (change: (signature: Buffer) => Uint8Array): CaseInputs => ({
  artifact: recordAlone,
  status: ({ status }) => segmentChanged(status, 2, (one) => base64url(change(Buffer.from(one, "base64url"))))
})

export const signatureCases: ReadonlyArray<Case> = [
  failCase(
    "signature/one-bit_fail",
    "One bit of the signature is another.",
    check,
    code,
    signed((signature) => Buffer.concat([Buffer.from([signature[0]! ^ 1]), signature.subarray(1)]))
  ),
  failCase(
    "signature/all-zero_fail",
    "A signature of zeros is none.",
    check,
    code,
    signed(() => Buffer.alloc(64))
  ),
  failCase(
    "signature/malleated_fail",
    "The group order was added to S: the same number for a careless verifier, and a second spelling.",
    check,
    code,
    signed(malleated)
  ),
  failCase(
    "signature/without-nonce_fail",
    "R is the neutral element and the equation of Ed25519 holds: no honest signer makes it, and verdicts on it differ.",
    check,
    code,
    {
      artifact: () => {
        const publicKey = Buffer.from(keys.RECORD.jwk.x, "base64url")
        const jws = recordJws()
        return segmentChanged(jws, 2, () =>
          base64url(signWithoutNonce(3, publicKey, jws.slice(0, jws.lastIndexOf("."))))
        )
      }
    }
  ),
  failCase(
    "signature/of-small-order_fail",
    "R is a point of order eight under the S of a good signature.",
    check,
    code,
    signed((signature) => Buffer.concat([Buffer.from(smallPoints.orderEight, "hex"), signature.subarray(32)]))
  ),
  failCase(
    "signature/of-record-63-bytes_fail",
    "The last byte of the record's signature is missing.",
    "artifact-envelope",
    code,
    signed((signature) => signature.subarray(0, 63))
  ),
  failCase(
    "signature/63-bytes_fail",
    "The last byte of the status's signature is missing.",
    "status-signature",
    code,
    inStatus((signature) => signature.subarray(0, 63))
  ),
  failCase(
    "signature/65-bytes_fail",
    "The status's signature has one byte too many.",
    "status-signature",
    code,
    inStatus((signature) => Buffer.concat([signature, Buffer.from([0])]))
  ),
  failCase(
    "signature/of-status-zero_fail",
    "A status whose signature is zeros says nothing of the present, and takes nothing from the past.",
    "status-signature",
    code,
    inStatus(() => Buffer.alloc(64))
  )
]
