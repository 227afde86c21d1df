/**
 * Linearizable revocation: clients write as fast as they can while a person pauses the project, revokes or renews the
 * buyer's grant, or removes the buyer's member; no command under that authority commits after the acknowledgement.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect, Fiber } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { pauseAs, renewAs } from "../support/people.ts"
import type { TestInstallation } from "../support/installation.ts"
import { sendCommand, readProject } from "../support/parties.ts"
import { readEvents } from "../support/stored-chains.ts"
import { makeArena, nextCommand, type Arena, type Lane } from "./arena.ts"

export const revocations = ["pause", "revocation", "renewal", "removal"] as const
export type Revocation = (typeof revocations)[number]

export interface Outcome {
  /** The duration of each acknowledgement. */
  readonly milliseconds: Array<number>
  /** Acknowledged commands. */
  commands: number
  /** Requests refused because of the revocation: without any, a round proves nothing. */
  refused: number
  readonly violations: Array<string>
}

/** Runs `rounds` rounds of one kind; the service is behind the `HttpApp`, the revocation uses the `Storage` in context. */
export const checkAcknowledgedRevocation = Effect.fnUntraced(function* (
  { connection }: TestInstallation,
  ending: Revocation,
  options: { readonly clients: number; readonly rounds: number }
) {
  const session = yield* Effect.orDie(PgConnection.make(connection))
  const outcome: Outcome = { milliseconds: [], commands: 0, refused: 0, violations: [] }
  for (let number = 0; number < options.rounds; number++) {
    const violations = yield* round(session, ending, options.clients, number, outcome)
    outcome.violations.push(...violations.map((violation) => `round ${number + 1}: ${violation}`))
  }
  return outcome
})

const round = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  ending: Revocation,
  clients: number,
  number,
  outcome: Outcome
) {
  // A pause affects one project, so all clients share it; a grant ends for all projects, so they use several.
  const arena = yield* makeArena(ending === "pause" ? 1 : clients / 2)
  const state: WriterState = { phase: "before", late: [], done: 0, refused: 0 }
  const creators = ending === "pause" ? 0 : clients / 8
  const writers = yield* Effect.forEach(Array.from({ length: clients }), (_, client) =>
    Effect.forkChild(client < creators ? create(arena, state) : write(arena, ending, client, state))
  )
  yield* until(() => state.done >= clients / 4)
  yield* Effect.sleep((number * 7) % 30)
  const started = performance.now()
  const endedAt = yield* end(ending, arena)
  outcome.milliseconds.push(performance.now() - started)
  state.phase = "answered"
  const atAcknowledgement = yield* readCommitted(session, ending, arena)
  yield* until(() => state.refused >= clients)
  state.phase = "stopped"
  yield* Effect.forEach(writers, Fiber.join, { discard: true })
  const later = yield* readCommitted(session, ending, arena)
  outcome.commands += state.done
  outcome.refused += state.refused
  const after = later.moments.filter((moment) => moment > endedAt)
  return [
    later.count === atAcknowledgement.count
      ? []
      : `${later.count - atAcknowledgement.count} committed after the acknowledgement`,
    after.length === 0 ? [] : `${after.length} happened after ${endedAt}`,
    state.late
  ].flat()
})

/** Returns the instant from which the revocation is effective. */
const end = (ending: Revocation, { buyer, buyerAgent, lanes }: Arena) => {
  const { personId, membershipId } = buyer
  switch (ending) {
    case "pause":
      return Effect.map(
        pauseAs({ personId, projectId: lanes[0]!.projectId, reason: "Stop." }),
        ({ automation }) => automation.pausedBy[0]!.at
      )
    case "revocation":
      return Effect.map(revokeGrant("OPERATOR", { grantId: buyerAgent.grantId }), ({ revokedAt }) => revokedAt)
    case "renewal":
      return Effect.map(
        renewAs({ personId, grantId: buyerAgent.grantId, expectedGeneration: 1 }),
        // The new grant is limited only by its 30 days, so its expiry reveals the time of the renewal.
        ({ expiresAt }) => addMilliseconds(expiresAt, -limits.credentialLifetime)
      )
    case "removal":
      return Effect.map(endMembership("OPERATOR", { membershipId }), ({ endedAt }) => endedAt)
  }
}

interface WriterState {
  phase: "before" | "answered" | "stopped"
  /** Requests that were sent after the acknowledgement and had an effect, and responses that reveal a defect. */
  readonly late: Array<string>
  done: number
  refused: number
}

/** A fixed time is too short on a busy machine; without success the test fails by its counters. */
const until = Effect.fnUntraced(function* (condition: () => boolean) {
  for (let attempts = 0; attempts < 5_000 && !condition(); attempts++) yield* Effect.sleep(2)
})

const write = Effect.fnUntraced(function* (arena: Arena, ending: Revocation, client: number, state: WriterState) {
  const lane = arena.lanes[client % arena.lanes.length]!
  while (state.phase !== "stopped") {
    const { token, operation, body } = nextCommand(arena, lane)
    const isRevoked = state.phase === "answered" && (ending === "pause" || token === arena.buyerAgent.token)
    const answer = yield* sendCommand(token, lane.projectId, operation, body)
    if (answer.status === 200) {
      if (isRevoked) state.late.push(`${operation} was answered 200`)
      state.done += 1
      learn(lane, answer.body)
    } else if (answer.status === 401 || answer.body.error === "AGENT_PAUSED") state.refused += 1
    else if (answer.body.error === "STALE_EVENT_HEAD") {
      const view = yield* readProject(arena.supplierAgent.token, lane.projectId)
      learn(lane, view)
    } else if (answer.body.error === "DELIVERY_HISTORY_LIMIT_REACHED") return
    else state.late.push(`${operation} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  }
})

/** Responses may be reordered; the longer history is the newer one. */
const learn = (lane: Lane, view: any): void => {
  if (view.project.events.length >= lane.view.project.events.length) lane.view = view
}

/** A creation locks the grant exclusively, where every other command shares it. */
const create = Effect.fnUntraced(function* (arena: Arena, state: WriterState) {
  while (state.phase !== "stopped") {
    const isRevoked = state.phase === "answered"
    const { status, body } = yield* arena.newProject()
    if (status === 201 && isRevoked) state.late.push("a creation was answered 201")
    if (status === 401) state.refused += 1
    else if (status === 201) state.done += 1
    else if (body.error === "CREATED_PROJECT_LIMIT") return
    else state.late.push(`a creation was answered ${status} ${JSON.stringify(body)}`)
  }
})

/** The commands of agents on the paused project, or the events under the ended grant. */
const readCommitted = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  ending: Revocation,
  { lanes, buyerAgent: { grantId } }: Arena
) {
  if (ending === "pause") {
    const events = yield* readEvents(session, "project", lanes[0]!.projectId)
    return { count: events.length, moments: events.map(({ payload }) => payload.occurredAt as string) }
  }
  const rows = yield* Effect.orDie(session.queryValues(underGrant, [PgTypes.text(grantId)]))
  const payloads = rows.map(([jws]) => JSON.parse(Buffer.from(String(jws).split(".")[1]!, "base64url").toString()))
  const under = payloads.filter(
    ({ schema, actor }) => schema === "service.authority-event/v1" || actor.execution?.grantId === grantId
  )
  return { count: under.length, moments: under.map(({ occurredAt }) => occurredAt as string) }
})

const underGrant = `
  select jws from authority_events where grant_id = $1
  union all
  select jws from project_events where project_id in (select project_id from grant_projects where grant_id = $1)`
