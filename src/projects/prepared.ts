/**
 * A submission that is built now, to be sent later. What it would be refused with now, its preparation is refused with,
 * but for what can still come before it is sent: the action, and the signatures (4.5).
 */
import { Effect } from "effect"
import type { Credential } from "../access/authorize.ts"
import { exclusive, shared, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import { readRequest, type Request } from "../replay/replay.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refused } from "../vocabulary/refusals.ts"
import { admit } from "./admission.ts"
import { byAgent } from "./by-agent.ts"
import type { SubmitInput } from "./commands/submit.ts"
import { requireBytes, type Stored } from "./history.ts"
import { pointToPerson } from "./human.ts"
import type { Principal } from "./principal.ts"
import { alone } from "./target.ts"

/** The exact body of a submission. */
export interface Submittable {
  readonly expectedEventHash: string
  readonly automationRevision: number
  readonly input: SubmitInput
}

/** Any grant of the supplier's side owns what it prepares; what it may do counts when it is sent. */
const asOwner = (principal: Principal): Principal => ({
  ...principal,
  read: (reader, projectId) =>
    Effect.map(principal.read(reader, projectId), (standing) => ({
      ...standing,
      enter: (stored, now) =>
        Effect.map(standing.enter(stored, now), (entered) => ({
          ...entered,
          mayAct: (act) => act === "SUBMIT_MATERIALS"
        }))
    }))
})

/** A missing signature is looked for after everything else that a submission brings. */
const isUnsigned = ({ code }: Refused): boolean => code === "WAIT_FOR_HUMAN"

interface Preparation<A> {
  readonly request: Request
  readonly projectId: string
  /** Builds it on the project as it is found. */
  readonly build: (stored: Stored) => Submittable
  /** Keeps it, under the grant and the project. */
  readonly keep: (transaction: Transaction, built: Submittable, now: Instant) => Effect.Effect<A, Refused>
}

export type Prepared<A> =
  | { readonly replayed: true; readonly target: string }
  | { readonly replayed: false; readonly kept: A }

/** Submits nothing. The grant is held exclusively: it counts what is prepared. */
export const prepareSubmission = Effect.fn("projects.prepareSubmission")(function* <A>(
  by: Credential,
  { request, projectId, build, keep }: Preparation<A>
) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const plan = {
    roots: [shared("membership", by.membershipId), exclusive("grant", by.grantId)],
    deferred: [exclusive("project", projectId)]
  }
  const asked = {
    request,
    memory: { read: (reader: Reader) => readRequest(reader, request) },
    by: asOwner(byAgent(by)),
    projectId
  }
  const prepared = storage.transaction(plan, (transaction) =>
    Effect.gen(function* (): Effect.fn.Return<Prepared<A>, Refused> {
      const plans = { planned: alone, projectIds: [projectId], newId: ids("attempt").next }
      let found: Stored | undefined
      const admitted = yield* admit(transaction, asked, plans, (stored) => {
        found = stored
        const built = build(stored)
        return { ...built, command: { kind: "SUBMIT" as const, input: built.input } }
      }).pipe(Effect.catchTag("Refused", (refused) => (isUnsigned(refused) ? Effect.undefined : Effect.fail(refused))))
      if (admitted?.replayed === true) return { replayed: true, target: admitted.target }
      if (admitted !== undefined && "event" in admitted.decision) {
        const { target, entered, decision, at } = admitted
        const { requestId } = request
        yield* requireBytes(target.stored, { happening: decision.event, requestId, actor: entered.actor, now: at })
      }
      // Whatever was admitted, or waits for signatures alone, was found.
      return { replayed: false, kept: yield* keep(transaction, build(found!), yield* transaction.now) }
    })
  )
  return yield* pointToPerson(prepared, { projectId })
})
