/** The fold of events into a project. Pure: no clock, ids or I/O. */
import type { Agreement } from "./agreement.ts"
import type { Evolve } from "./command.ts"
import { commands, moveOfChoice } from "./decide.ts"
import type { Actor, EventContent, ProjectEvent } from "./event.ts"
import { moveNamed, type MoveName } from "./moves.ts"
import type { Project } from "./project.ts"

/** The project after its events. The first event is `CREATE`, whose predecessor is the agreement. */
export const projectFrom = (agreement: Agreement, digest: string, events: ReadonlyArray<ProjectEvent>): Project =>
  events.reduce(evolve, {
    agreement,
    agreementDigest: digest,
    state: "AWAITING_SUPPLIER",
    head: digest,
    events: [],
    supplier: { actorId: agreement.supplier.actorId, organizationId: null },
    submission: null,
    review: null,
    confirmation: null,
    hold: null,
    concern: null,
    signatures: [],
    successor: null,
    recordId: null,
    lostHead: null
  })

/** The project after one more event: the state of its move, and its effect. */
export const evolve = (project: Project, event: ProjectEvent): Project => {
  const move = moveOfEvent(event, event.actor)
  const state = move === undefined ? undefined : moveNamed(move).to
  const effect = effectOf(event.kind)
  return {
    ...project,
    head: event.hash,
    events: [...project.events, event],
    state: state ?? project.state,
    ...effect?.(project, event)
  }
}

/** The move that an event records; undefined for the creation. */
export const moveOfEvent = ({ kind, payload }: EventContent, { role }: Actor): MoveName | undefined => {
  switch (kind) {
    case "CREATE":
      return undefined
    case "INVITATION_ACCEPTED":
      return "ACCEPT_INVITATION"
    case "ISSUE":
      return "ISSUE"
    case "SUPERSEDE":
      return role === "BUYER" ? "REPLACE_TERMS" : "SUPERSEDE"
    default:
      return moveOfChoice(kind, payload)
  }
}

type EventKind = ProjectEvent["kind"]

/** The effects of events that no command appends. */
const effects: { readonly [K in EventKind]?: Evolve<K> } = {
  INVITATION_ACCEPTED: (_, { actor }) => ({ supplier: { actorId: actor.id, organizationId: actor.organizationId } }),
  ISSUE: (_, { payload }) => ({ recordId: payload.recordId }),
  SUPERSEDE: (_, { payload }) => ({ hold: null, concern: null, successor: payload.successor })
}

const effectsOfCommands: { readonly [kind: string]: { readonly evolve?: unknown } } = commands

/** The compiler has checked each effect with the events of its kind. */
const effectOf = (kind: EventKind) =>
  (effects[kind] ?? effectsOfCommands[kind]?.evolve) as
    | ((project: Project, event: ProjectEvent) => Partial<Project>)
    | undefined
