/** An issuance request is issued, waits for a credit, or needs a person (spec 2.4, 4.3): it is never lost. */
import { Issuances } from "../../../src/projects/store.ts"
import { valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, type Rows } from "../property.ts"

type PassState = {
  /** During an operator's pass over due requests: the projects whose requests were unprocessed at its start. */
  readonly due: ReadonlyArray<string> | null
  /** True if a signing key for events or records is missing. */
  readonly isKeyless: boolean
}

export const issuanceRequestIsProcessed = monitoredProperty<PassState>({
  name: "issuance request is processed",
  kind: "always",
  says: "The next pass of a worker processes each issuance request whose process has ended.",
  judges: { kinds: ["fault", "act", "answer"] },
  initial: { due: null, isKeyless: false },
  next: (state, { observed, rows }) => {
    if (observed.kind === "fault") return observed.actor === "operator" ? { ...state, due: null } : state
    if (observed.kind === "act" && observed.operation === "setKeys") {
      const purposes = valueAt(observed.input, "purposes")
      return { ...state, isKeyless: !Array.isArray(purposes) || neededPurposes.some((one) => !purposes.includes(one)) }
    }
    if (observed.kind === "act" && observed.operation === "issueDueRecords" && !state.isKeyless) {
      return { ...state, due: unprocessedIn(rows) }
    }
    if (observed.kind !== "answer" || observed.actor !== "operator" || state.due === null) return state
    const unprocessed = unprocessedIn(rows)
    const missed = state.due.find((projectId) => unprocessed.includes(projectId))
    return missed === undefined
      ? { ...state, due: null }
      : violation(`a pass of the worker left the issuance request of ${missed} unprocessed`)
  }
})

const neededPurposes = ["EVENT", "RECORD"]

/** Projects whose issuance requests have no result and no lease. */
const unprocessedIn = (rows: Rows): ReadonlyArray<string> =>
  rows
    .of(Issuances)
    .filter((request) => request.status === "PENDING" && request.continuation === null && request.leaseToken === "")
    .map(({ projectId }) => projectId)
