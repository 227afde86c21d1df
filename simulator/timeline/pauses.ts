/** When agents stand still, as answers and commits tell it: a span of events for each project or proposal. */
import { isObject, valueAt, type Json, type JsonObject } from "../script/json.ts"

export interface Pause {
  /** The project or proposal. */
  readonly on: string
  /** The first event of the span, and the first after it. */
  readonly from: number
  readonly to: number
  readonly reason?: string
}

interface Standing {
  readonly on: string
  readonly isPaused: boolean
  readonly revision: number
  readonly reason: string | undefined
}

export const pausesOf = (
  lines: ReadonlyArray<JsonObject>,
  exchanges: ReadonlyArray<number | undefined>
): ReadonlyArray<Pause> => {
  const known = new Map<string, Standing & { readonly from: number }>()
  const commits = new Map<number, number>()
  const pauses: Array<Pause> = []
  lines.forEach((line, index) => {
    const exchange = exchanges[index] ?? index
    if (line["kind"] === "commit") commits.set(exchange, index)
    for (const standing of standingsOf(line, lines[exchange] ?? line)) {
      const before = known.get(standing.on)
      if (before !== undefined && before.revision > standing.revision) continue
      if ((before?.isPaused ?? false) === standing.isPaused) continue
      const from = commits.get(exchange) ?? index
      if (before?.isPaused === true) pauses.push(spanOf(before, from))
      known.set(standing.on, { ...standing, from })
    }
  })
  const lasting = [...known.values()].filter(({ isPaused }) => isPaused)
  return [...pauses, ...lasting.map((standing) => spanOf(standing, lines.length))].sort((a, b) => a.from - b.from)
}

/** By the number of the event: that agents stand still from it, or go on. */
export const pauseTurns = (pauses: ReadonlyArray<Pause>): ReadonlyMap<number, string> =>
  new Map(
    pauses.flatMap(({ on, from, to, reason }) => [
      [to, `agents go on: ${on}`] as const,
      [from, `agents stand still: ${on}${reason === undefined ? "" : `, ${reason}`}`] as const
    ])
  )

const spanOf = ({ on, from, reason }: Standing & { readonly from: number }, to: number): Pause => ({
  on,
  from,
  to,
  ...(reason === undefined ? {} : { reason })
})

const standingsOf = (line: JsonObject, begun: JsonObject): ReadonlyArray<Standing> => {
  if (line["kind"] === "commit") return Array.isArray(line["changes"]) ? line["changes"].flatMap(changed) : []
  const automation = line["body"] === undefined ? undefined : valueAt(line["body"], "automation")
  if (!isObject(automation) || typeof automation["paused"] !== "boolean") return []
  const on = subjectOf(line["body"] ?? null, begun)
  const reason = valueAt(automation, "pausedBy.0.reason")
  return on === undefined ? [] : [standing(on, automation["paused"], automation["revision"], reason)]
}

const standing = (on: string, isPaused: boolean, revision: Json | undefined, reason: Json | undefined): Standing => ({
  on,
  isPaused,
  revision: typeof revision === "number" ? revision : 0,
  reason: typeof reason === "string" ? reason : undefined
})

/** A row that keeps its pauses and the revision of them, as those of projects and proposals do. */
const changed = (change: Json): ReadonlyArray<Standing> => {
  const on = valueAt(change, "key.0")
  const pauses = valueAt(change, "after.pauses")
  if (typeof on !== "string" || !Array.isArray(pauses)) return []
  const revision = valueAt(change, "after.automationRevision")
  return [standing(on, pauses.length > 0, revision, valueAt(pauses, "0.reason"))]
}

const subjectOf = (body: Json, begun: JsonObject): string | undefined => {
  const named = ["projectId", "project.taskId", "proposalId", "proposal.proposalId", "proposal.id"]
    .map((path) => valueAt(body, path))
    .find((id) => typeof id === "string")
  if (typeof named === "string") return named
  const { path } = begun
  return typeof path === "string" ? /\/(?:projects|proposals)\/([^/?]+)/.exec(path)?.[1] : undefined
}
