/** The checks that commands share, and the input and output of decisions. */
import { Result } from "effect"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"
import type { EventContent } from "./event.ts"
import type { CreateInput } from "./new-project.ts"
import { personGuard, stateGuard } from "./guards.ts"
import type { GuardContext } from "./guard-context.ts"
import type { Project } from "./project.ts"
import type { MoveName, StateCode } from "./moves.ts"
import type { SignatureInput } from "./signing.ts"

/** The inputs of a decision besides the project: the actor, the time of the attempt, and new ids. */
export interface DecisionContext extends GuardContext {
  /** The person whom the command names as the supplier; null for every other command. */
  readonly named: RepresentativeFacts | null
  readonly newId: (kind: "submission" | "review" | "confirmation") => string
}

export interface RepresentativeFacts {
  readonly isMemberOfSupplier: boolean
  /** True if the person's recorded side is the buyer's. */
  readonly tookOtherSide: boolean
}

/** An event to append, an issuance request, the pause of a hand-off, or a new version. */
export type Decision =
  | { readonly event: EventContent }
  | { readonly issuance: "REQUESTED" }
  | { readonly handoff: { readonly reason: string } }
  | { readonly revision: { readonly move: MoveName; readonly terms: CreateInput; readonly reason: string } }

const unlessRefused = <R>(refused: R | undefined): Result.Result<undefined, R> =>
  refused === undefined ? Result.succeed(undefined) : Result.fail(refused)

/** The first checks of every move: the agreement digest, then state, hold and deadline. */
export const requireMove = <Move extends MoveName>(
  project: Project,
  input: { readonly requestId: string; readonly agreementDigest?: string },
  move: Move | undefined,
  context: DecisionContext
): Result.Result<undefined, MoveRefusal<Move>> => {
  if (move === undefined) return Result.succeed(undefined)
  const checked =
    input.agreementDigest === project.agreementDigest
      ? unlessRefused(stateGuard(project, move, context))
      : Result.fail(refusal("AGREEMENT_DIGEST_MISMATCH"))
  return checked as Result.Result<undefined, MoveRefusal<Move>>
}

/** The refusals of a move before the checks of its command; none without a move. */
export type MoveRefusal<Move extends MoveName> = Refusal<
  StateCode<Move> | ([Move] extends [never] ? never : "AGREEMENT_DIGEST_MISMATCH")
>

/** Requires the signatures, and a person for a reserved decision. */
export const requirePerson = <Move extends MoveName>(project: Project, move: Move, context: DecisionContext) =>
  unlessRefused(personGuard(project, move, context))

/** The confirmation digest must be the current one. */
export const requireConfirmation = (digest: string | undefined, current: string) =>
  digest === current ? Result.succeed(undefined) : Result.fail(refusal("CONFIRMATION_DIGEST_STALE"))

/** The named confirmation must be the current one. */
export const requireCurrentConfirmation = ({ confirmation }: Project, confirmationId: string) =>
  confirmation?.confirmationId === confirmationId
    ? Result.succeed(undefined)
    : Result.fail(refusal("CONFIRMATION_MISMATCH"))

/** A signature is present exactly if the agreement requires one, with its method and the shown digest. */
export const requireSignature = <Input extends SignatureInput | undefined>(
  project: Project,
  input: Input,
  digest: string,
  context: DecisionContext
) =>
  checkSignature(project, input, digest, context) as Result.Result<
    undefined,
    Refusal<SignatureCode | (undefined extends Input ? "WAIT_FOR_HUMAN" : never)>
  >

type SignatureCode = "STATE_CONFLICT" | "CONFIRMATION_DIGEST_STALE" | "INVALID_REQUEST"

const checkSignature = (
  { agreement }: Project,
  input: SignatureInput | undefined,
  digest: string,
  context: DecisionContext
): Result.Result<undefined, Refusal<SignatureCode | "WAIT_FOR_HUMAN">> => {
  const { signing } = agreement.terms
  if (signing?.method !== input?.method) {
    const detail =
      signing === undefined
        ? "The agreement requires no signature."
        : `The agreement requires a signature by the method ${signing.method}.`
    return input === undefined
      ? Result.fail(refusal("WAIT_FOR_HUMAN", { detail, requiredHumanAction: "SIGN_ACCEPTANCE" }))
      : Result.fail(refusal("STATE_CONFLICT", { detail }))
  }
  if (input?.method === "NATIVE" && input.digest !== digest) return Result.fail(refusal("CONFIRMATION_DIGEST_STALE"))
  if (input?.method === "EXTERNAL" && input.evidence.signedAt > context.now) {
    const issues = [{ path: "input.signature.evidence.signedAt", message: "must not lie in the future" }]
    return Result.fail(refusal("INVALID_REQUEST", { issues }))
  }
  return Result.succeed(undefined)
}
