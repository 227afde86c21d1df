/** Answers what access asks about the parties of a project. */
import { Effect, Layer } from "effect"
import { ProjectParties } from "../access/scope.ts"
import { Projects } from "./store.ts"

export const projectParties = Layer.succeed(ProjectParties, {
  isParty: (reader, projectId, side) =>
    Effect.map(reader.get(Projects, [projectId]), (row) => {
      if (row === undefined) return false
      return side.role === "BUYER"
        ? row.buyerOrganizationId === side.organizationId
        : row.supplierActorId === side.personId &&
            (row.supplierOrganizationId ?? side.organizationId) === side.organizationId
    })
})
