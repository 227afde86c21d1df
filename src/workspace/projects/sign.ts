/** Signs the agreement here, or records the evidence of a signature made elsewhere. */
import { Result } from "effect"
import { h } from "preact"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { paragraph, section } from "../kit/parts.ts"
import { readSignature, signatureFields, signatureFieldset, signInNotice } from "./signature.ts"
import { projectCommand } from "./subject.ts"
import { termsFacts } from "./terms.ts"

export const signPages = projectCommand({
  acts: ["SIGN_AGREEMENT"],
  operation: "signAgreement",
  acknowledgement: {
    did: "You signed the agreement.",
    next: "Once both parties have signed it, the supplier delivers."
  },
  readExtra: () => currentTime,
  fields: ({ model }) => signatureFields("AGREEMENT", model.project.agreementDigest),
  show: ({ visitor, model, extra: now }, controls) => {
    const { agreement, agreementDigest } = model.project
    return {
      before: [
        signInNotice(model, visitor, "sign", now),
        section(
          "What is signed",
          paragraph("The agreement with the digest ", h("code", null, agreementDigest), ": all of this."),
          termsFacts(agreement.terms, model.nameOf)
        )
      ],
      fields: signatureFieldset(model, "AGREEMENT", agreementDigest, controls),
      submitLabel: agreement.terms.signing?.method === "EXTERNAL" ? "Record the signature" : "Sign"
    }
  },
  command: ({ model, requestId }, values) => {
    const { agreement, agreementDigest } = model.project
    // Where the agreement requires no signatures, no person has this act.
    const signature = readSignature(agreement.terms.signing!, values)
    return Result.isFailure(signature)
      ? { problems: signature.failure }
      : { kind: "SIGN", input: { requestId, agreementDigest, signature: signature.success } }
  },
  refusedAt: { INVALID_REQUEST: "signedAt" }
})
