/** A party signs the agreement: the named person natively, or a person records an external signature. */
import { Result, Schema } from "effect"
import { Digest, UuidV4 } from "../../vocabulary/ids.ts"
import { defineCommand } from "../command.ts"
import { requireSignature } from "../requirements.ts"
import { SignatureInput, signatureOf } from "../signing.ts"

export const SignInput = Schema.Struct({ requestId: UuidV4, agreementDigest: Digest, signature: SignatureInput })

export const sign = defineCommand({
  kind: "SIGN",
  moveOf: () => "SIGN_AGREEMENT",
  decide: (project, { agreementDigest, signature: input }: typeof SignInput.Type, context) =>
    Result.gen(function* () {
      yield* requireSignature(project, input, project.agreementDigest, context)
      const signature = signatureOf("AGREEMENT", input, context.by.personId, agreementDigest)
      return { event: { kind: "SIGN", payload: { agreementDigest, party: context.by.side, signature } } }
    }),
  evolve: ({ signatures }, { payload: { party, signature }, occurredAt }) => ({
    signatures: [...signatures, { subject: "AGREEMENT", party, signature, occurredAt }]
  })
})
