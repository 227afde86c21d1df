/** A record that was wished for is issued, waits for a credit, or needs a person (spec 2.4, 4.3): it is never forgotten. */
import { Issuances } from "../../src/projects/store.ts"
import { valueAt } from "../script/json.ts"
import { broken, invariant, type Rows } from "./invariant.ts"

type Passing = {
  /** While an operator has due wishes carried out, those that nobody had looked at when that began, by their project. */
  readonly due: ReadonlyArray<string> | null
  /** True where a record could not be signed. */
  readonly isKeyless: boolean
}

export const aWishIsLookedAt = invariant<Passing>({
  name: "a wish for a record is looked at",
  kind: "always",
  says: "What is left of a wish whose process ended is carried out by the next pass of a worker.",
  begins: { due: null, isKeyless: false },
  sees: (passing, { observed, rows }) => {
    if (observed.kind === "fault") return observed.actor === "operator" ? { ...passing, due: null } : passing
    if (observed.kind === "act" && observed.operation === "setKeys") {
      const purposes = valueAt(observed.input, "purposes")
      return { ...passing, isKeyless: !Array.isArray(purposes) || needed.some((one) => !purposes.includes(one)) }
    }
    if (observed.kind === "act" && observed.operation === "issueDueRecords" && !passing.isKeyless) {
      return { ...passing, due: untouchedIn(rows) }
    }
    if (observed.kind !== "answer" || observed.actor !== "operator" || passing.due === null) return passing
    const still = untouchedIn(rows)
    const forgotten = passing.due.find((projectId) => still.includes(projectId))
    return forgotten === undefined
      ? { ...passing, due: null }
      : broken(`the record of ${forgotten} was wished for, and a pass of a worker did not come to it`)
  }
})

const needed = ["EVENT", "RECORD"]

/** Nothing has become of these, and no worker holds them. */
const untouchedIn = (rows: Rows): ReadonlyArray<string> =>
  rows
    .of(Issuances)
    .filter((wish) => wish.status === "PENDING" && wish.continuation === null && wish.leaseToken === "")
    .map(({ projectId }) => projectId)
