/** Answers what access asks about the parties of a project. */
import { Effect, Layer } from "effect"
import { ProjectParties } from "../access/scope.ts"
import { tookOtherSide } from "./one-side.ts"
import { Projects } from "./store.ts"

export const projectParties = Layer.succeed(ProjectParties, {
  isParty: (reader, projectId, side) =>
    Effect.gen(function* () {
      const [row, isElsewhere] = yield* Effect.all(
        [
          reader.get(Projects, [projectId]),
          tookOtherSide(reader, { projectId, personId: side.personId, side: side.role })
        ],
        { concurrency: "unbounded" }
      )
      if (row === undefined || isElsewhere) return false
      return side.role === "BUYER"
        ? row.buyerOrganizationId === side.organizationId
        : row.supplierActorId === side.personId &&
            (row.supplierOrganizationId ?? side.organizationId) === side.organizationId
    })
})
