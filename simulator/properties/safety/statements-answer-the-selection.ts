/** A passport and its statements answer exactly the selection of their request (spec 4.7). */
import { Publications } from "../../../src/publications/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import {
  type Moment,
  monitoredProperty,
  pendingRequestKey,
  type RequestObservation,
  rowIn,
  violation
} from "../property.ts"
import {
  closedWindow,
  type DisclosureWindow,
  type DisclosureWindows,
  pairOf,
  passportIn,
  type PublicRequest,
  publicRequestOf,
  selectionsOf,
  type Statement,
  statementsIn,
  windowsAfter,
  withoutWindow
} from "../support/disclosures.ts"

export const statementsAnswerTheSelection = monitoredProperty<DisclosureWindows>({
  name: "statements answer the selection",
  kind: "always",
  says: "A passport and its statements keep the order of the selection; each selected publication of the supplier has one statement on the selected digest, and no other publication has one.",
  judges: { kinds: ["request", "response"], commitsTo: [Publications, Projects] },
  initial: {},
  next: (windows, moment) => {
    const { observed, request } = moment
    if (observed.kind !== "response") return windowsAfter(windows, moment)
    if (request === undefined) return windows
    const publicRequest = publicRequestOf(request)
    const window = windows[pendingRequestKey(request)] ?? closedWindow
    const mismatch =
      publicRequest === undefined || observed.status >= 300
        ? undefined
        : mismatchIn(publicRequest, request, moment, window)
    return mismatch === undefined
      ? withoutWindow(windows, request)
      : violation(`the answer to ${request.method} ${request.path} ${mismatch}`)
  }
})

const mismatchIn = (
  { operation, subjectId }: PublicRequest,
  request: RequestObservation,
  { observed, rows }: Moment,
  { always }: DisclosureWindow
): string | undefined => {
  if (operation === "LIST" || observed.kind !== "response") return undefined
  const selections = selectionsOf(request)
  const body = observed.body ?? null
  if (operation === "PASSPORT") {
    const { entries, summaries, statements } = passportIn(body)
    if (idsOf(entries) !== idsOf(selections)) return "has other entries than the selection, or in another order"
    if (idsOf(summaries) !== idsOf(selections)) return "has other summaries than the selection, or in another order"
    return mismatchOf(statements, selections, always)
  }
  const own = selections.filter(
    ({ publicationId }) => rowIn(rows, Publications, [publicationId])?.subjectId === subjectId
  )
  return mismatchOf(statementsIn(body), own, always)
}

const idsOf = (list: ReadonlyArray<{ readonly publicationId: string }>): string =>
  list.map(({ publicationId }) => publicationId).join(" ")

type Selections = ReturnType<typeof selectionsOf>

const mismatchOf = (
  statements: ReadonlyArray<Statement>,
  selections: Selections,
  always: DisclosureWindow["always"]
): string | undefined => {
  const pairsOf = (list: Selections) =>
    list.map(({ publicationId, publicationDigest }) => pairOf(publicationId, publicationDigest))
  if (pairsOf(statements).join() !== pairsOf(selections).join()) {
    return "has other statements than the selection has publications of this supplier, or in another order"
  }
  const wrong = statements.find(
    ({ status, publicationId, publicationDigest }) =>
      status !== "AVAILABLE" && always.includes(pairOf(publicationId, publicationDigest))
  )
  return wrong === undefined
    ? undefined
    : `says ${wrong.status} of ${wrong.publicationId}, which was public all the time`
}
