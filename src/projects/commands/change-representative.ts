/** A manager of the supplier's members names another person as its representative. */
import { Result, Schema } from "effect"
import { PersonId } from "../../vocabulary/ids.ts"
import { refusal } from "../../vocabulary/refusals.ts"
import { defineCommand, reasoned } from "../command.ts"
import type { Project } from "../project.ts"

export const ChangeRepresentativeInput = Schema.Struct({ ...reasoned, supplierActorId: PersonId })

export const changeRepresentative = defineCommand({
  kind: "CHANGE_REPRESENTATIVE",
  moveOf: () => "CHANGE_REPRESENTATIVE",
  decide: (project, { agreementDigest, supplierActorId, reason }: typeof ChangeRepresentativeInput.Type, { named }) =>
    Result.gen(function* () {
      const previousActorId = project.supplier.actorId
      if (previousActorId === null || previousActorId === supplierActorId) {
        const detail = "This person already represents the supplier."
        return yield* Result.fail(refusal("STATE_CONFLICT", { detail }))
      }
      if (named?.isMemberOfSupplier !== true) {
        const detail = "The new representative must be a member of the supplier's organization."
        return yield* Result.fail(refusal("UNKNOWN_SUPPLIER", { detail }))
      }
      if (named.tookOtherSide || actedForBuyer(project, supplierActorId)) {
        return yield* Result.fail(refusal("SAME_PARTY"))
      }
      return {
        event: { kind: "CHANGE_REPRESENTATIVE", payload: { agreementDigest, previousActorId, supplierActorId, reason } }
      }
    }),
  evolve: ({ supplier }, { payload }) => ({ supplier: { ...supplier, actorId: payload.supplierActorId } })
})

/** A person who acted for the buyer here never represents the supplier. */
const actedForBuyer = ({ agreement, events }: Project, personId: string): boolean =>
  agreement.buyer.actorId === personId || events.some(({ actor }) => actor.role === "BUYER" && actor.id === personId)
