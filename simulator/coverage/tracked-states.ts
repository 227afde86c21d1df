/** Tracks the states of resources while reading a trace. */
import { evolve, projectFrom } from "../../src/projects/evolve.ts"
import type { ProjectEvent } from "../../src/projects/event.ts"
import type { Project } from "../../src/projects/project.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { projectViewsIn } from "./project-moves.ts"
import { resourceOf, type Resource } from "./resources.ts"

export interface ResourceState {
  readonly noun: Resource
  readonly id: string
  readonly state: string
}

/** The resources in an answer, with id and state. */
export const resourceStatesIn = (value: Json | undefined): ReadonlyArray<ResourceState> => {
  if (Array.isArray(value)) return value.flatMap((item: Json) => resourceStatesIn(item))
  if (!isObject(value)) return []
  const inside = Object.values(value).flatMap((member: Json) => resourceStatesIn(member))
  const { state } = value
  const id = ownIds.map((name) => value[name]).find((id) => typeof id === "string")
  const noun = typeof id === "string" ? resourceOf(id) : undefined
  if (noun === undefined || typeof id !== "string" || typeof state !== "string") return inside
  return noun.states.includes(state) ? [{ noun, id, state }, ...inside] : inside
}

/** The id members of views, in order of precedence. */
const ownIds = [
  "taskId",
  "id",
  "publicationId",
  "deliveryId",
  "draftId",
  "jobId",
  "connectionId",
  "invitationId",
  "resultOrderId",
  "commerceOrderId"
]

/**
 * Tracks states along a trace. For most resources the latest answer has the state. The state of a project follows from
 * its events: commits give their number at each line, and the longest view in the trace gives their content.
 */
export class StateTracker {
  readonly #last = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #histories: ReadonlyMap<string, ReadonlyArray<string>>

  constructor(lines: ReadonlyArray<JsonObject>) {
    this.#histories = historiesIn(lines)
  }

  read(line: JsonObject): void {
    if (line["kind"] === "commit") this.#count(line["writes"])
    if (line["kind"] !== "response" && line["kind"] !== "answer") return
    for (const { id, state } of resourceStatesIn(line["body"])) this.#last.set(id, state)
  }

  of(id: string): string | undefined {
    const count = this.#counts.get(id)
    const known = count === undefined ? undefined : this.#histories.get(id)?.[count]
    return known ?? this.#last.get(id)
  }

  #count(writes: Json | undefined): void {
    for (const write of Array.isArray(writes) ? writes : []) {
      if (!isObject(write) || write["table"] !== "project_events" || !Array.isArray(write["key"])) continue
      const id = String(write["key"][0])
      this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    }
  }
}

/** The states of each project, by the number of its events. */
const historiesIn = (lines: ReadonlyArray<JsonObject>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const histories = new Map<string, ReadonlyArray<string>>()
  for (const line of lines) {
    for (const { taskId, agreement, events } of projectViewsIn(line["body"])) {
      if (events.length < (histories.get(taskId)?.length ?? 0)) continue
      const known = { supplier: { actorId: agreement.supplierActorId ?? null } }
      const start = projectFrom(known as Project["agreement"], agreement.digest, [])
      histories.set(taskId, statesAfter(start, events))
    }
  }
  return histories
}

const statesAfter = (start: Project, events: ReadonlyArray<ProjectEvent>): ReadonlyArray<string> => {
  const states: Array<string> = [start.state]
  let project = start
  for (const event of events) states.push((project = evolve(project, event)).state)
  return states
}
