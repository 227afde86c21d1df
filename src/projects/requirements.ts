/** The checks that commands share, and what every decision is given and gives. */
import { Result } from "effect"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import type { Happening } from "./event.ts"
import type { CreateInput } from "./new-project.ts"
import { personObstacle, placeObstacle, type Moment } from "./obstacles.ts"
import type { MoveName, Project } from "./project.ts"
import type { SignatureInput } from "./signing.ts"

/** What a decision needs from outside: who acts, the time of the attempt, and new ids. */
export interface Given extends Moment {
  /** The person whom the command names as the supplier; null for every other command. */
  readonly named: Named | null
  readonly newId: (kind: "submission" | "review" | "confirmation") => string
}

export interface Named {
  readonly isMemberOfSupplier: boolean
  /** True where the person once acted for the buyer here. */
  readonly tookOtherSide: boolean
}

/** An event to append, the wish to have the record issued, the pause that an agent asks for, or a new version. */
export type Decision =
  | { readonly event: Happening }
  | { readonly issuance: "REQUESTED" }
  | { readonly handoff: { readonly reason: string } }
  | { readonly revision: { readonly move: MoveName; readonly terms: CreateInput; readonly reason: string } }

type Checked = Result.Result<void, Refused>

const unless = (obstacle: Refused | undefined): Checked =>
  obstacle === undefined ? Result.succeed(undefined) : Result.fail(obstacle)

/** The first check of every command: it names this agreement, and state, hold and date let it start here. */
export const requireMove = (
  project: Project,
  input: { readonly agreementDigest: string },
  move: MoveName,
  given: Given
): Checked =>
  input.agreementDigest === project.agreementDigest
    ? unless(placeObstacle(project, move, given))
    : Result.fail(refusal("AGREEMENT_DIGEST_MISMATCH"))

/** No signature is missing, and the decision is not kept for people. */
export const requirePerson = (project: Project, move: MoveName, given: Given): Checked =>
  unless(personObstacle(project, move, given))

/** Wherever a confirmation is due, its digest must be the current one. */
export const requireConfirmation = (given: string | undefined, current: string): Checked =>
  given === current ? Result.succeed(undefined) : Result.fail(refusal("CONFIRMATION_DIGEST_STALE"))

/** The confirmation that the request names is the current one. */
export const requireCurrentConfirmation = ({ confirmation }: Project, confirmationId: string): Checked =>
  confirmation?.confirmationId === confirmationId
    ? Result.succeed(undefined)
    : Result.fail(refusal("CONFIRMATION_MISMATCH"))

/** A signature is given exactly where the agreement asks for one, by its method, over what was shown. */
export const requireSignature = (
  { agreement }: Project,
  input: SignatureInput | undefined,
  digest: string,
  given: Given
): Checked => {
  const { signing } = agreement.terms
  if (signing?.method !== input?.method) {
    const detail =
      signing === undefined
        ? "The agreement asks for no signature."
        : `The agreement asks for a signature by the method ${signing.method}.`
    return input === undefined
      ? Result.fail(refusal("WAIT_FOR_HUMAN", { detail, requiredHumanAction: "SIGN_ACCEPTANCE" }))
      : Result.fail(refusal("STATE_CONFLICT", { detail }))
  }
  if (input?.method === "NATIVE" && input.digest !== digest) return Result.fail(refusal("CONFIRMATION_DIGEST_STALE"))
  if (input?.method === "EXTERNAL" && input.evidence.signedAt > given.now) {
    const issues = [{ path: "input.signature.evidence.signedAt", message: "must not lie in the future" }]
    return Result.fail(refusal("INVALID_REQUEST", { issues }))
  }
  return Result.succeed(undefined)
}
