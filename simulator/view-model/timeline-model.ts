/** The view model of a timeline: the events of a finished trace with their lanes, and the pauses of agents. */
import type { JsonObject } from "../vocabulary/json.ts"
import { lanesOf, placeOf, type Lane } from "./lanes.ts"
import { stringMember } from "./line-summary.ts"
import { optionalMember } from "./optional-member.ts"
import { pausesOf, pauseBoundaries, type Pause } from "./pauses.ts"
import { eventsOf, type SessionEvent } from "./session-events.ts"
import type { SessionSummary } from "./session-summary.ts"
import type { TimelineRun } from "./timeline-run.ts"

export interface TimelineModel extends SessionSummary {
  readonly lanes: ReadonlyArray<Lane>
  readonly events: ReadonlyArray<TimelineEvent>
  readonly pauses: ReadonlyArray<Pause>
}

export interface TimelineEvent extends SessionEvent {
  /** Its lane; absent for an event of all lanes. */
  readonly lane?: number
  /** The lane that it points to. */
  readonly to?: number
  readonly say?: string
  /** The pause or resume of agents at this event. */
  readonly pause?: string
}

export const modelOf = ({ lines, narration = [], ...summary }: TimelineRun): TimelineModel => {
  const lanes = lanesOf(lines)
  const events = eventsOf(lines)
  const pauses = pausesOf(
    lines,
    events.map(({ exchange }) => exchange)
  )
  const boundaries = pauseBoundaries(pauses)
  const positions = new Map(lanes.map(({ name }, index) => [name, index]))
  const narrations = new Map(narration.map(({ step, say }) => [step, say]))
  const inLanes = events.map((event, index): TimelineEvent => {
    const line = lines[index] ?? {}
    const { lane, to } = placeOf(line, lines[event.exchange ?? index] ?? line)
    return {
      ...event,
      ...optionalMember("lane", positions.get(lane ?? "")),
      ...optionalMember("to", positions.get(to ?? "")),
      ...optionalMember("say", sayOf(line, narrations)),
      ...optionalMember("pause", boundaries.get(index))
    }
  })
  return { ...summary, lanes, events: inLanes, pauses }
}

const sayOf = (line: JsonObject, narrations: ReadonlyMap<number, string>): string | undefined => {
  const { kind, step } = line
  if (kind !== "step" || typeof step !== "number") return undefined
  return stringMember(line, "say") ?? narrations.get(step)
}
