/** The read model of project pages: the project, and the names of its people and organizations. */
import { Effect } from "effect"
import { confers } from "../../people/membership.ts"
import { readNames } from "../../people/operations.ts"
import { readNewestChanges } from "../../projects/automation-log.ts"
import { addPartyNames, type ProjectWithPartyNames } from "../../projects/party-names.ts"
import { readProjectForPages, type ProjectForPages } from "../../projects/project-for-pages.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { Visitor } from "../kit/visitor.ts"
import { namesById } from "../kit/names.ts"
import { historyPage, type HistoryPage, type HistoryPlace } from "./history-page.ts"

export interface ProjectPageModel extends ProjectForPages {
  readonly named: ProjectWithPartyNames
  /** The name of a person who is named or acted here; for other ids, the id itself. */
  readonly nameOf: (personId: string) => string
}

/** The same with one page of its history. */
export interface ProjectHistoryModel extends ProjectPageModel {
  readonly history: HistoryPage
}

export const readProjectPageModel = Effect.fnUntraced(function* ({ person }: Visitor, projectId: string) {
  return yield* addNames(yield* readProjectForPages(person, projectId), [])
})

/** Reads one page of the history besides, from this place on: the newest one where absent. */
export const readProjectHistoryModel = Effect.fnUntraced(function* (
  { person }: Visitor,
  projectId: string,
  place?: HistoryPlace
) {
  const whole = yield* readProjectForPages(person, projectId)
  const changes = yield* readNewestChanges(projectId, {
    before: place?.beforeRevision,
    limit: limits.historyOnPage + 1
  })
  const history = historyPage(whole.project.events, changes, place)
  const model = yield* addNames(
    whole,
    history.entries.flatMap((entry) => ("by" in entry ? [entry.by] : []))
  )
  return { ...model, history } satisfies ProjectHistoryModel
})

const addNames = Effect.fnUntraced(function* (whole: ProjectForPages, others: ReadonlyArray<string>) {
  const [named] = yield* addPartyNames([whole.listed])
  const personIds = [...peopleOf(whole), ...whole.listed.pauses.map(({ by }) => by), ...others]
  const nameOf = yield* namesById(readNames, personIds)
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
