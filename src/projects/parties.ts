/** The parties of a project, as `access/` requires them. */
import { Effect, Layer } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import { ProjectParties } from "../access/scope.ts"
import { hasOtherRecordedSide } from "./side-exclusivity.ts"
import { Projects } from "./store.ts"

export const projectParties = Layer.succeed(ProjectParties, {
  isParty: (reader, projectId, side) =>
    Effect.gen(function* () {
      const [row, isOtherSide] = yield* readTogether([
        reader.get(Projects, [projectId]),
        hasOtherRecordedSide(reader, { projectId, personId: side.personId, side: side.role })
      ])
      if (row === undefined || isOtherSide) return false
      return side.role === "BUYER"
        ? row.buyerOrganizationId === side.organizationId
        : row.supplierActorId === side.personId &&
            (row.supplierOrganizationId ?? side.organizationId) === side.organizationId
    })
})
