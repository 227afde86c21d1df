/** Outcomes of commands by state and kind of caller: accepted, or the codes of refusals. */
import type { Call, CallerKind } from "./calls-in-trace.ts"

export interface MatrixRow {
  readonly noun: string
  readonly state: string
  readonly command: string
  readonly by: CallerKind
  /** Counts by outcome. */
  readonly outcomes: { readonly [outcome: string]: number }
}

export type Matrix = ReadonlyArray<MatrixRow>

export const matrixOf = (calls: ReadonlyArray<Call>): Matrix => {
  const rows = new Map<string, Omit<MatrixRow, "outcomes"> & { readonly outcomes: { [outcome: string]: number } }>()
  for (const { by, outcome, command } of calls) {
    if (command === undefined) continue
    const { noun, state } = command
    const key = [noun.name, state, command.command, by].join(" ")
    const row = rows.get(key) ?? { noun: noun.name, state, command: command.command, by, outcomes: {} }
    row.outcomes[outcome] = (row.outcomes[outcome] ?? 0) + 1
    rows.set(key, row)
  }
  return [...rows.values()]
}
