/** A party signs the agreement: the named person here, or a person records where it was signed. */
import { Result } from "effect"
import type { Refused } from "../../vocabulary/refusals.ts"
import { requireMove, requireSignature, type Decision, type Given } from "../requirements.ts"
import type { Project } from "../project.ts"
import { signatureOf, type SignatureInput } from "../signing.ts"

export interface SignInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly signature: SignatureInput
}

export const decideSign = (project: Project, input: SignInput, given: Given): Result.Result<Decision, Refused> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "SIGN_AGREEMENT", given)
    yield* requireSignature(project, input.signature, project.agreementDigest, given)
    const { agreementDigest } = input
    const signature = signatureOf("AGREEMENT", input.signature, given.by.personId, agreementDigest)
    return { event: { kind: "SIGN", payload: { agreementDigest, party: given.by.side, signature } } }
  })
