/** Signs the agreement here, or records the evidence of a signature made elsewhere. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { decodeForm } from "../kit/form.ts"
import { paragraph, section } from "../kit/parts.ts"
import { commandPage } from "./command-page.ts"
import { readSignature, signatureFields, signatureFieldset, signInNotice } from "./signature.ts"
import { termsFacts } from "./terms.ts"

export const signPages = commandPage({
  path: "sign",
  title: "Sign the agreement",
  acts: ["SIGN_AGREEMENT"],
  operation: "signAgreement",
  submitLabel: "Sign",
  refusedAt: { INVALID_REQUEST: "signedAt" },
  show: ({ visitor, model }, state) =>
    Effect.map(currentTime, (now) => ({
      before: [
        signInNotice(model, visitor, "sign", now),
        section(
          "What is signed",
          paragraph("The agreement with the digest ", h("code", null, model.project.agreementDigest), ": all of this."),
          termsFacts(model.project.agreement.terms, model.nameOf)
        )
      ],
      fields: signatureFieldset(model, "AGREEMENT", model.project.agreementDigest, state),
      ...(model.project.agreement.terms.signing?.method === "EXTERNAL" ? { submitLabel: "Record the signature" } : {})
    })),
  read: ({ model, requestId, agreementDigest }, form) =>
    Effect.gen(function* () {
      const decoded = yield* decodeForm(Schema.Struct(signatureFields), form)
      if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
      const signature = readSignature(model, decoded.success)
      if (Result.isFailure(signature)) return Result.fail({ sent: form.fields, problems: signature.failure })
      const signed = signature.success
      return signed === undefined
        ? yield* refuse("STATE_CONFLICT", { detail: "The agreement requires no signatures." })
        : Result.succeed({
            command: { kind: "SIGN" as const, input: { requestId, agreementDigest, signature: signed } }
          })
    })
})
