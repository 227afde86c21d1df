/** The read model of project pages: the project, and the names of its people and organizations. */
import { Effect } from "effect"
import { readNames } from "../people/operations.ts"
import { nameParties, type NamedProject } from "../projects/named.ts"
import { readSidedProject } from "../projects/sides.ts"
import { readWholeProject, type WholeProject } from "../projects/whole.ts"
import type { Visitor } from "./visitor.ts"

export interface SeenProject extends WholeProject {
  readonly named: NamedProject
  /** The name of a person who is named or acted here; for other ids, the id itself. */
  readonly nameOf: (personId: string) => string
}

export const readSeenProject = Effect.fnUntraced(function* ({ person }: Visitor, projectId: string) {
  const whole = yield* readWholeProject(person, projectId)
  const named = yield* nameParties([yield* readSidedProject(person, projectId)])
  const personIds = peopleOf(whole)
  const names = yield* readNames(personIds)
  const known = new Map(personIds.map((personId, index) => [personId, names[index] ?? personId]))
  const nameOf = (personId: string) => known.get(personId) ?? personId
  return { ...whole, named: named[0]!, nameOf } satisfies SeenProject
})

/** True where the person may see the credits of the buyer's organization. */
export const maySeeCredits = ({ side, authorities }: SeenProject): boolean =>
  side === "BUYER" && (authorities.has("FINANCIAL_READ") || authorities.has("RECORD_ISSUE"))

/** All person ids in the agreement and its history. */
const peopleOf = ({ project }: WholeProject): ReadonlyArray<string> => {
  const { agreement, events, supplier } = project
  const { signing } = agreement.terms
  const named = [
    agreement.buyer.actorId,
    agreement.supplier.actorId,
    supplier.actorId,
    signing?.principal,
    signing?.counterparty,
    ...events.flatMap((event) => [
      event.actor.id,
      event.kind === "CHANGE_REPRESENTATIVE" ? event.payload.supplierActorId : undefined,
      event.kind === "CHANGE_REPRESENTATIVE" ? event.payload.previousActorId : undefined
    ])
  ]
  return [...new Set(named.filter((personId) => personId !== undefined && personId !== null))]
}
