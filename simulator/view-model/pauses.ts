/** The pauses of agents, derived from answers and commits: a range of events per project or proposal. */
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"

export interface Pause {
  /** The project or proposal. */
  readonly on: string
  /** The first event of the pause, and the first after it. */
  readonly from: number
  readonly to: number
  readonly reason?: string
}

interface PauseState {
  readonly on: string
  readonly isPaused: boolean
  readonly revision: number
  readonly reason: string | undefined
}

export const pausesOf = (
  lines: ReadonlyArray<JsonObject>,
  exchanges: ReadonlyArray<number | undefined>
): ReadonlyArray<Pause> => {
  const known = new Map<string, PauseState & { readonly from: number }>()
  const commits = new Map<number, number>()
  const pauses: Array<Pause> = []
  lines.forEach((line, index) => {
    const exchange = exchanges[index] ?? index
    if (line["kind"] === "commit") commits.set(exchange, index)
    for (const state of pauseStatesIn(line, lines[exchange] ?? line)) {
      const before = known.get(state.on)
      if (before !== undefined && before.revision > state.revision) continue
      if ((before?.isPaused ?? false) === state.isPaused) continue
      const from = commits.get(exchange) ?? index
      if (before?.isPaused === true) pauses.push(spanOf(before, from))
      known.set(state.on, { ...state, from })
    }
  })
  const open = [...known.values()].filter(({ isPaused }) => isPaused)
  return [...pauses, ...open.map((state) => spanOf(state, lines.length))].sort((a, b) => a.from - b.from)
}

/** By event number: the pause or resume of agents. */
export const pauseBoundaries = (pauses: ReadonlyArray<Pause>): ReadonlyMap<number, string> =>
  new Map(
    pauses.flatMap(({ on, from, to, reason }) => [
      [to, `agents resumed: ${on}`] as const,
      [from, `agents paused: ${on}${reason === undefined ? "" : `, ${reason}`}`] as const
    ])
  )

const spanOf = ({ on, from, reason }: PauseState & { readonly from: number }, to: number): Pause => ({
  on,
  from,
  to,
  ...(reason === undefined ? {} : { reason })
})

const pauseStatesIn = (line: JsonObject, begun: JsonObject): ReadonlyArray<PauseState> => {
  if (line["kind"] === "commit")
    return Array.isArray(line["changes"]) ? line["changes"].flatMap(pauseStatesOfChange) : []
  const automation = line["body"] === undefined ? undefined : valueAt(line["body"], "automation")
  if (!isObject(automation) || typeof automation["paused"] !== "boolean") return []
  const on = subjectOf(line["body"] ?? null, begun)
  const reason = valueAt(automation, "pausedBy.0.reason")
  return on === undefined ? [] : [state(on, automation["paused"], automation["revision"], reason)]
}

const state = (on: string, isPaused: boolean, revision: Json | undefined, reason: Json | undefined): PauseState => ({
  on,
  isPaused,
  revision: typeof revision === "number" ? revision : 0,
  reason: typeof reason === "string" ? reason : undefined
})

/** The pause state of a changed project or proposal row. */
const pauseStatesOfChange = (change: Json): ReadonlyArray<PauseState> => {
  const on = valueAt(change, "key.0")
  const pauses = valueAt(change, "after.pauses")
  if (typeof on !== "string" || !Array.isArray(pauses)) return []
  const revision = valueAt(change, "after.automationRevision")
  return [state(on, pauses.length > 0, revision, valueAt(pauses, "0.reason"))]
}

const subjectOf = (body: Json, begun: JsonObject): string | undefined => {
  const named = ["projectId", "project.taskId", "proposalId", "proposal.proposalId", "proposal.id"]
    .map((path) => valueAt(body, path))
    .find((id) => typeof id === "string")
  if (typeof named === "string") return named
  const { path } = begun
  return typeof path === "string" ? /\/(?:projects|proposals)\/([^/?]+)/.exec(path)?.[1] : undefined
}
