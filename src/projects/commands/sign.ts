/** A party signs the agreement: the named person natively, or a person records an external signature. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { requireMove, requireSignature, type Decision, type DecisionContext } from "../requirements.ts"
import type { Project } from "../project.ts"
import { signatureOf, type SignatureInput } from "../signing.ts"

export interface SignInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly signature: SignatureInput
}

export const decideSign = (
  project: Project,
  input: SignInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "SIGN_AGREEMENT", context)
    yield* requireSignature(project, input.signature, project.agreementDigest, context)
    const { agreementDigest } = input
    const signature = signatureOf("AGREEMENT", input.signature, context.by.personId, agreementDigest)
    return { event: { kind: "SIGN", payload: { agreementDigest, party: context.by.side, signature } } }
  })
