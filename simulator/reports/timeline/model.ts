/** The view model of a run: lanes, one event per trace line, and the pauses of agents. */
import type { JsonObject } from "../../vocabulary/json.ts"
import { attemptsOf } from "./attempts.ts"
import { exchangesOf } from "./exchanges.ts"
import { lanesOf, placeOf, type Lane } from "./lanes.ts"
import { pausesOf, pauseBoundaries, type Pause } from "./pauses.ts"
import type { TimelineRun } from "./timeline-run.ts"
import { stringMember, summarizeLine } from "./line-summary.ts"
import { toneOf, type Tone } from "./tones.ts"

export interface TimelineModel {
  readonly title: string
  readonly say?: string
  readonly file: string
  readonly seed?: number
  readonly verdict: string
  readonly lanes: ReadonlyArray<Lane>
  readonly events: ReadonlyArray<TimelineEvent>
  readonly pauses: ReadonlyArray<Pause>
}

/** The event of one trace line, at the 0-based index of the line. */
export interface TimelineEvent {
  readonly at: string
  readonly kind: string
  readonly text: string
  /** Its lane; absent for an event of all lanes. */
  readonly lane?: number
  /** The lane that it points to. */
  readonly to?: number
  readonly tone?: Tone
  readonly step?: number
  readonly say?: string
  /** The pause or resume of agents at this event. */
  readonly pause?: string
  /** The first event of its request, act or webhook. */
  readonly exchange?: number
  /** The 1-based attempt of the webhook that it claims or sends. */
  readonly attempt?: number
  /** The event of the same kind in the previous attempt. */
  readonly earlier?: number
}

export const modelOf = (run: TimelineRun): TimelineModel => {
  const { title, say, file, seed, verdict, lines } = run
  const lanes = lanesOf(lines)
  const exchanges = exchangesOf(lines)
  const pauses = pausesOf(lines, exchanges)
  return {
    title,
    ...(say === undefined ? {} : { say }),
    file,
    ...(seed === undefined ? {} : { seed }),
    verdict,
    lanes,
    events: eventsOf(run, { lanes, exchanges, pauses }),
    pauses
  }
}

interface EventContext {
  readonly lanes: ReadonlyArray<Lane>
  readonly exchanges: ReadonlyArray<number | undefined>
  readonly pauses: ReadonlyArray<Pause>
}

const eventsOf = (
  { lines, narration = [] }: TimelineRun,
  { lanes, exchanges, pauses }: EventContext
): ReadonlyArray<TimelineEvent> => {
  const turns = pauseBoundaries(pauses)
  const attempts = attemptsOf(lines)
  const places = new Map(lanes.map(({ name }, index) => [name, index]))
  const narrations = new Map(narration.map(({ step, say }) => [step, say]))
  const operations = new Map<string, string>()
  let step: number | undefined
  return lines.map((line, index) => {
    const actor = stringMember(line, "actor") ?? ""
    const operation = stringMember(line, "operation")
    if (operation !== undefined) operations.set(actor, operation)
    step = typeof line["step"] === "number" ? line["step"] : step
    const { lane, to } = placeOf(line, lines[exchanges[index] ?? index] ?? line)
    const attempt = attempts.get(index)
    const say = sayOf(line, narrations)
    return {
      at: stringMember(line, "at") ?? "",
      kind: stringMember(line, "kind") ?? "unknown",
      text: summarizeLine(line, { operation: operations.get(actor), attempt: attempt?.attempt }),
      ...optionalMember("lane", places.get(lane ?? "")),
      ...optionalMember("to", places.get(to ?? "")),
      ...optionalMember("tone", toneOf(line)),
      ...optionalMember("step", step),
      ...optionalMember("say", say),
      ...optionalMember("pause", turns.get(index)),
      ...optionalMember("exchange", exchanges[index]),
      ...optionalMember("attempt", attempt?.attempt),
      ...optionalMember("earlier", attempt?.earlier)
    }
  })
}

const sayOf = (line: JsonObject, narrations: ReadonlyMap<number, string>): string | undefined => {
  const { kind, step } = line
  if (kind !== "step" || typeof step !== "number") return undefined
  return stringMember(line, "say") ?? narrations.get(step)
}

const optionalMember = <Name extends string, Value>(
  name: Name,
  value: Value | undefined
): { readonly [N in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]?: Value })
