/** A side signs the agreement: the named person here, or a person records where it was signed. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { decodeForm } from "../form.ts"
import { paragraph, section } from "../parts.ts"
import { actPages } from "../project-act.ts"
import { readSignature, signatureFields, signaturePart, signInNotice } from "../project-signature.ts"
import { termsFacts } from "../project-terms.ts"

export const signPages = actPages({
  path: "sign",
  title: "Sign the agreement",
  acts: ["SIGN_AGREEMENT"],
  operation: "signAgreement",
  submitLabel: "Sign",
  refusedAt: { INVALID_REQUEST: "signedAt" },
  show: ({ visitor, seen }, state) =>
    Effect.map(currentTime, (now) => ({
      before: [
        signInNotice(seen, visitor, "sign", now),
        section(
          "What is signed",
          paragraph("The agreement with the digest ", h("code", null, seen.project.agreementDigest), ": all of this."),
          termsFacts(seen.project.agreement.terms, seen.nameOf)
        )
      ],
      fields: signaturePart(seen, "AGREEMENT", seen.project.agreementDigest, state),
      ...(seen.project.agreement.terms.signing?.method === "EXTERNAL" ? { submitLabel: "Record the signature" } : {})
    })),
  read: ({ seen, requestId, agreementDigest }, form) =>
    Effect.map(decodeForm(Schema.Struct(signatureFields), form), (decoded) =>
      Result.flatMap(decoded, (entered) =>
        readSignature(seen, entered).pipe(
          Result.mapError((problems) => ({ sent: form.fields, problems })),
          Result.map((signature) => ({
            // An agreement that asks for no signature is refused by the state, whatever is sent.
            command: {
              kind: "SIGN" as const,
              input: { requestId, agreementDigest, signature: signature ?? { method: "NATIVE", digest: "" } }
            }
          }))
        )
      )
    )
})
