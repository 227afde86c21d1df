/** The read model of project pages: the project, and the names of its people and organizations. */
import { Effect } from "effect"
import { confers } from "../../people/membership.ts"
import { readNames } from "../../people/operations.ts"
import { addPartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { readPartyProject } from "../../projects/party-projects.ts"
import { readProjectForPages, type ProjectForPages } from "../../projects/project-for-pages.ts"
import type { Visitor } from "../kit/visitor.ts"

export interface ProjectPageModel extends ProjectForPages {
  readonly named: ProjectWithPartyNames
  /** The name of a person who is named or acted here; for other ids, the id itself. */
  readonly nameOf: (personId: string) => string
}

export const readProjectPageModel = Effect.fnUntraced(function* ({ person }: Visitor, projectId: string) {
  const whole = yield* readProjectForPages(person, projectId)
  const [named] = yield* addPartyNames([yield* readPartyProject(person, projectId)])
  const personIds = [...new Set([...peopleOf(whole), ...named!.pauses.map(({ by }) => by)])]
  const names = yield* readNames(personIds)
  const known = new Map(personIds.map((personId, index) => [personId, names[index] ?? personId]))
  const nameOf = (personId: string) => known.get(personId) ?? personId
  return { ...whole, named: named!, nameOf } satisfies ProjectPageModel
})

/** True where the person may see the credits of the buyer's organization. */
export const maySeeCredits = ({ side, authorities }: ProjectPageModel): boolean =>
  side === "BUYER" && (confers([...authorities], "FINANCIAL_READ") || authorities.has("RECORD_ISSUE"))

/** All person ids in the agreement and its history. */
const peopleOf = ({ project }: ProjectForPages): ReadonlyArray<string> => {
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
  return named.filter((personId) => personId !== undefined && personId !== null)
}
