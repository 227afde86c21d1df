/** The checks that commands share, and what every decision is given and gives. */
import { Result } from "effect"
import type { HumanDecision } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"
import type { Happening } from "./event.ts"
import { canMove, type MoveName, type Project } from "./project.ts"

/** What a decision needs from outside: the time of the attempt, new ids, and whether a person acts. */
export interface Given {
  readonly now: Instant
  readonly newId: (kind: "submission" | "review" | "confirmation") => string
  readonly isPerson: boolean
  /** True where the record of the current confirmation was asked for already. */
  readonly isIssuanceAsked: boolean
}

/** An event to append, or the wish to have the record issued. */
export type Decision = { readonly event: Happening } | { readonly issuance: "REQUESTED" }

/** The first check of every command: it names this agreement, and the table lets it start here. */
export const requireMove = (
  project: Project,
  input: { readonly agreementDigest: string },
  move: MoveName
): Result.Result<void, Refused> => {
  if (input.agreementDigest !== project.agreementDigest) return Result.fail(refusal("AGREEMENT_DIGEST_MISMATCH"))
  if (!canMove(project.state, move)) {
    return Result.fail(refusal("STATE_CONFLICT", { detail: `A project in ${project.state} does not allow this.` }))
  }
  return Result.succeed(undefined)
}

/** Some decisions are kept for people by the agreement itself. */
export const requirePerson = (
  project: Project,
  decisions: ReadonlyArray<HumanDecision>,
  given: Given
): Result.Result<void, Refused> => {
  if (given.isPerson) return Result.succeed(undefined)
  const kept = project.agreement.terms.subjectRequirements.find((one) =>
    one.humanDecisions.some((decision) => decisions.includes(decision))
  )
  return kept === undefined
    ? Result.succeed(undefined)
    : Result.fail(refusal("HUMAN_DECISION_REQUIRED", { requiredHumanAction: kept.statement }))
}

/** Wherever a confirmation is due, its digest must be the current one. */
export const requireConfirmation = (given: string | undefined, current: string): Result.Result<void, Refused> =>
  given === current ? Result.succeed(undefined) : Result.fail(refusal("CONFIRMATION_DIGEST_STALE"))
