/**
 * Preparation of a submission that is sent later. It is refused as the submission would be now, except for the grant's
 * action and the signatures, which can still be obtained (4.5).
 */
import { Effect } from "effect"
import type { Credential } from "../access/authorize.ts"
import { checkCommand } from "../pipeline/pipeline.ts"
import { inTransaction } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader, type Transaction } from "../ports/storage.ts"
import { readStoredRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { neverRefused, type Refusal } from "../vocabulary/refusals.ts"
import type { SubmitInput } from "./commands/submit.ts"
import { checksOf } from "./command-checks.ts"
import { agentAsCaller } from "./agent-caller.ts"
import { requireHistoryBytes, type StoredProject } from "./history.ts"
import { withHumanUrl } from "./human-url.ts"
import type { ProjectCaller } from "./caller.ts"
import { singleProject } from "./command-context.ts"
import { traced } from "../vocabulary/traced.ts"

/** The exact body of a submission. */
export interface SubmissionEnvelope {
  readonly expectedEventHash: string
  readonly automationRevision: number
  readonly input: typeof SubmitInput.Type
}

/** Any grant of the supplier can prepare a submission; its actions are checked when it is sent. */
const asOwner = (caller: ProjectCaller): ProjectCaller => ({
  ...caller,
  read: (reader, projectId) =>
    Effect.map(caller.read(reader, projectId), (authority) => ({
      ...authority,
      requireActor: (stored, now) =>
        Effect.map(authority.requireActor(stored, now), (actor) => ({
          ...actor,
          mayAct: (act) => act === "SUBMIT_MATERIALS"
        }))
    }))
})

/** A missing signature is the last check of a submission. */
const isMissingSignature = ({ code }: Refusal): boolean => code === "WAIT_FOR_HUMAN"

interface Preparation<A, Code extends RefusalCode> {
  readonly request: IdempotentRequest
  readonly projectId: string
  /** Builds the submission from the locked project. */
  readonly build: (stored: StoredProject) => SubmissionEnvelope
  /** Stores it under the locks of the grant and the project. */
  readonly keep: (transaction: Transaction, built: SubmissionEnvelope, now: Instant) => Effect.Effect<A, Refusal<Code>>
}

/** Submits nothing. The grant is locked exclusively because it counts the prepared jobs. */
export const prepareSubmission = traced("projects.prepareSubmission")(function* <A, Code extends RefusalCode>(
  by: Credential,
  { request, projectId, build, keep }: Preparation<A, Code>
) {
  const ids = yield* idSeed
  const plan = {
    locks: [shared("membership", by.membershipId), exclusive("grant", by.grantId)],
    deferred: [exclusive("project", projectId)]
  }
  const commandRequest = {
    request,
    idempotencyStore: { read: (reader: Reader) => readStoredRequest(reader, request) },
    by: asOwner(agentAsCaller(by)),
    projectId
  }
  const preparation = inTransaction(plan, function* (transaction) {
    const plans = { lockPlan: singleProject, projectIds: [projectId], idsOfAttempt: () => ids("attempt").next }
    let built: SubmissionEnvelope | undefined
    const checks = checksOf(commandRequest, plans, (stored) => {
      built = build(stored)
      return { ...built, command: { kind: "SUBMIT" as const, input: built.input } }
    })
    const checked = yield* checkCommand(transaction, checks).pipe(
      // Built from the locked project.
      neverRefused(
        "AGENT_CHANGED_REFRESH_REQUIRED",
        "AGREEMENT_DIGEST_MISMATCH",
        "STALE_EVENT_HEAD",
        "SUBMISSION_MISMATCH"
      ),
      Effect.catchTag("Refusal", (refused) => (isMissingSignature(refused) ? Effect.undefined : Effect.fail(refused)))
    )
    if (checked?._tag === "Outdated") return yield* Effect.die("a command on a project is never planned again")
    // A replayed request was recorded, with the job that it made.
    if (checked?._tag === "Replayed") return { replayed: true as const, target: checked.context.earlierRequest!.target }
    if (checked?._tag === "Decided" && "event" in checked.decision) {
      const { context, actor, decision, at } = checked
      const { requestId } = request
      yield* requireHistoryBytes(context.stored, {
        content: decision.event,
        requestId,
        actor: actor.actor,
        now: at
      })
    }
    // The project was found: otherwise the checks have failed.
    return { replayed: false as const, stored: yield* keep(transaction, built!, yield* transaction.now) }
  })
  return yield* withHumanUrl(preparation, { projectId })
})
