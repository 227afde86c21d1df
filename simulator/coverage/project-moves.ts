/** The transitions of projects in a trace: caller, transition and state, derived from views and answers. */
import type { Role } from "../../src/access/actions.ts"
import { moveOfEvent, projectFrom } from "../../src/projects/evolve.ts"
import type { Agreement } from "../../src/projects/agreement.ts"
import type { ProjectEvent } from "../../src/projects/event.ts"
import type { Project, State } from "../../src/projects/project.ts"
import { revisionMoveFrom, type MoveName } from "../../src/projects/moves.ts"

/** Transition names for coverage: concerns are distinguished by side, and pauses and hand-offs are included. */
export type TracedMoveName =
  | Exclude<MoveName, "ACCEPT_INVITATION" | "DISMISS_CONCERN">
  | `DISMISS_CONCERN_OF_${Role}`
  | "HANDOFF"
  | "PAUSE"
  | "RESUME"

/** `member` is another member of the supplier's organization. */
export type MoveCaller = "buyer's agent" | "supplier's agent" | "buyer" | "representative" | "member"

export interface TracedMove {
  readonly name: TracedMoveName
  readonly state: State
  readonly caller: MoveCaller
}

export interface ProjectView {
  readonly taskId: string
  readonly parties: {
    readonly buyer: { readonly organizationId: string }
    readonly supplier: { readonly actorId: string | null }
  }
  readonly agreement: { readonly supplierActorId?: string; readonly digest: string }
  readonly events: ReadonlyArray<ProjectEvent>
}

/** All transitions in one trace. */
export const movesIn = (lines: ReadonlyArray<any>): ReadonlyArray<TracedMove> => {
  const state: TraceState = { views: new Map(), pauses: new Map(), people: new Map(), requests: new Map() }
  const withoutEvent = lines.flatMap((line) => {
    if (line.kind === "given" && line.is === "person") state.people.set(line.name, line.answer.personId)
    if (line.kind === "request" || line.kind === "act") state.requests.set(line.actor, line)
    if (line.kind !== "response" && line.kind !== "answer") return []
    const moves = movesWithoutEvent(line, state)
    for (const view of projectViewsIn(line.body)) {
      const before = state.views.get(view.taskId)
      if (before === undefined || before.events.length <= view.events.length) state.views.set(view.taskId, view)
    }
    return moves
  })
  return [...withoutEvent, ...[...state.views.values()].flatMap(movesOf)]
}

interface TraceState {
  readonly views: Map<string, ProjectView>
  /** The sides that have paused, by project. */
  readonly pauses: Map<string, ReadonlyArray<string>>
  /** The ids of the people of a trace, by name. */
  readonly people: Map<string, string>
  /** The latest request of each actor. */
  readonly requests: Map<string, any>
}

export const projectViewsIn = (value: unknown): ReadonlyArray<ProjectView> => {
  if (Array.isArray(value)) return value.flatMap(projectViewsIn)
  if (typeof value !== "object" || value === null) return []
  const isView = "taskId" in value && "events" in value && Array.isArray(value.events)
  return isView ? [value as unknown as ProjectView] : Object.values(value).flatMap(projectViewsIn)
}

const movesOf = (view: ProjectView): ReadonlyArray<TracedMove> =>
  view.events.flatMap((event, index) => {
    const before = projectOf(view, index)
    const name = nameOf(before, event)
    return name === undefined ? [] : [{ name, state: before.state, caller: callerOf(before, event.actor) }]
  })

/** The project after so many events, with only the part of its agreement that transitions need. */
const projectOf = ({ agreement, events }: ProjectView, count: number): Project => {
  const known = { supplier: { actorId: agreement.supplierActorId ?? null } } as Agreement
  return projectFrom(known, agreement.digest, events.slice(0, count))
}

const nameOf = (before: Project, event: ProjectEvent): TracedMoveName | undefined => {
  const move = moveOfEvent(event, event.actor)
  if (move === "ACCEPT_INVITATION") return undefined
  return move === "DISMISS_CONCERN" ? `${move}_OF_${before.concern!.raisedBy}` : move
}

const callerOf = ({ supplier }: Project, { id, role, execution }: ProjectEvent["actor"]): MoveCaller => {
  if (role === "BUYER") return execution === null ? "buyer" : "buyer's agent"
  if (execution !== null) return "supplier's agent"
  return supplier.actorId === id ? "representative" : "member"
}

/** Pauses, hand-offs and offered revisions append no event: they are derived from request and answer. */
const movesWithoutEvent = (answer: any, { views, pauses, people, requests }: TraceState): ReadonlyArray<TracedMove> => {
  const request = requests.get(answer.actor)
  const name = nameWithoutEvent(request)
  const isDone = answer.kind === "answer" ? answer.refused === undefined : answer.status < 300
  if (name === undefined || !isDone || answer.body?.replayed === true) return []
  const inPath = /\/projects\/(delivery_[^/]+)\//.exec(request.path ?? "")?.[1]
  const projectId = inPath ?? answer.body?.projectId
  const view = views.get(projectId)
  if (view === undefined) return []
  const project = projectOf(view, view.events.length)
  const { state } = project
  if (name === "OFFER_REVISION") {
    // Terms that are not agreed yet are replaced, which appends an event.
    return revisionMoveFrom(state) === name ? [{ name, state, caller: "buyer" }] : []
  }
  const before = pauses.get(projectId) ?? []
  const now: ReadonlyArray<string> = (answer.body.automation?.pausedBy ?? []).map(({ side }: any) => side)
  pauses.set(projectId, now)
  const side = [...now.filter((one) => !before.includes(one)), ...before.filter((one) => !now.includes(one))][0]
  const isRepresentative = people.get(answer.actor) === project.supplier.actorId
  const agentOf = side === "BUYER" ? "buyer's agent" : "supplier's agent"
  const personOf = side === "BUYER" ? "buyer" : isRepresentative ? "representative" : "member"
  return side === undefined ? [] : [{ name, state, caller: name === "HANDOFF" ? agentOf : personOf }]
}

const nameWithoutEvent = (request: any): "PAUSE" | "RESUME" | "HANDOFF" | "OFFER_REVISION" | undefined => {
  const operation = String(request?.operation ?? /[^/]+$/.exec(request?.path ?? "")?.[0])
  switch (operation) {
    case "pause":
    case "pauseProject":
      return "PAUSE"
    case "resume":
    case "resumeProject":
      return "RESUME"
    case "handoff":
      return "HANDOFF"
    case "revise":
      return "OFFER_REVISION"
    default:
      return undefined
  }
}
