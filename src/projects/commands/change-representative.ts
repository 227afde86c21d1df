/** A manager of the supplier's members names another person as its representative. */
import { Result } from "effect"
import { refusal, type Refusal } from "../../vocabulary/refusals.ts"
import { requireMove, type Decision, type DecisionContext } from "../requirements.ts"
import type { Project } from "../project.ts"

export interface ChangeRepresentativeInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly supplierActorId: string
  readonly reason: string
}

export const decideChangeRepresentative = (
  project: Project,
  input: ChangeRepresentativeInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "CHANGE_REPRESENTATIVE", context)
    const { agreementDigest, supplierActorId, reason } = input
    const previousActorId = project.supplier.actorId
    if (previousActorId === null || previousActorId === supplierActorId) {
      const detail = "This person already represents the supplier."
      return yield* Result.fail(refusal("STATE_CONFLICT", { detail }))
    }
    if (context.named?.isMemberOfSupplier !== true) {
      const detail = "The new representative must be a member of the supplier's organization."
      return yield* Result.fail(refusal("UNKNOWN_SUPPLIER", { detail }))
    }
    if (context.named.tookOtherSide || actedForBuyer(project, supplierActorId)) {
      return yield* Result.fail(refusal("SAME_PARTY"))
    }
    return {
      event: { kind: "CHANGE_REPRESENTATIVE", payload: { agreementDigest, previousActorId, supplierActorId, reason } }
    }
  })

/** A person who acted for the buyer here never represents the supplier. */
const actedForBuyer = ({ agreement, events }: Project, personId: string): boolean =>
  agreement.buyer.actorId === personId || events.some(({ actor }) => actor.role === "BUYER" && actor.id === personId)
