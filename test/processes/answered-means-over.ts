/**
 * What a person ended is over when the answer arrives. Clients write as fast as they can; somebody pauses the project,
 * revokes or renews the buyer's grant, or removes the buyer's member; the events committed by then are all there will ever be.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect, Fiber } from "effect"
import { revokeGrant } from "../../src/access/grants.ts"
import { endMembership } from "../../src/people/memberships.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { pauseAs, renewAs } from "../support/people.ts"
import type { TestInstallation } from "../support/installation.ts"
import { command, readProject } from "../support/parties.ts"
import { readEvents } from "../support/history.ts"
import { makeArena, nextCommand, type Arena, type Lane } from "./arena.ts"

export const endings = ["pause", "revocation", "renewal", "removal"] as const
export type Ending = (typeof endings)[number]

export interface Outcome {
  /** How long each answer took. */
  readonly milliseconds: Array<number>
  /** Commands that were answered with success. */
  commands: number
  /** Requests that were refused because of the ending: without them the rounds show nothing. */
  refused: number
  readonly violations: Array<string>
}

/** `rounds` rounds of one ending; the service is behind the `HttpApp`, the ending happens under the `Storage` in context. */
export const answeredMeansOver = Effect.fnUntraced(function* (
  { connection }: TestInstallation,
  ending: Ending,
  options: { readonly clients: number; readonly rounds: number }
) {
  const session = yield* Effect.orDie(PgConnection.make(connection))
  const outcome: Outcome = { milliseconds: [], commands: 0, refused: 0, violations: [] }
  for (let number = 0; number < options.rounds; number++) {
    const told = yield* round(session, ending, options.clients, number, outcome)
    outcome.violations.push(...told.map((violation) => `round ${number + 1}: ${violation}`))
  }
  return outcome
})

const round = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  ending: Ending,
  clients: number,
  number: number,
  outcome: Outcome
) {
  // A pause ends one project, so all meet there; a grant ends everywhere at once, so they spread out.
  const arena = yield* makeArena(ending === "pause" ? 1 : clients / 2)
  const writing: Writing = { phase: "before", late: [], done: 0, refused: 0 }
  const creators = ending === "pause" ? 0 : clients / 8
  const writers = yield* Effect.forEach(Array.from({ length: clients }), (_, client) =>
    Effect.forkChild(client < creators ? create(arena, writing) : write(arena, ending, client, writing))
  )
  yield* until(() => writing.done >= clients / 4)
  yield* Effect.sleep((number * 7) % 30)
  const started = performance.now()
  const endedAt = yield* end(ending, arena)
  outcome.milliseconds.push(performance.now() - started)
  writing.phase = "answered"
  const then = yield* committed(session, ending, arena)
  yield* until(() => writing.refused >= clients)
  writing.phase = "stopped"
  yield* Effect.forEach(writers, Fiber.join, { discard: true })
  const later = yield* committed(session, ending, arena)
  outcome.commands += writing.done
  outcome.refused += writing.refused
  const after = later.moments.filter((moment) => moment > endedAt)
  return [
    later.count === then.count ? [] : `${later.count - then.count} committed after the answer`,
    after.length === 0 ? [] : `${after.length} happened after ${endedAt}`,
    writing.late
  ].flat()
})

/** Answers with the instant from which it holds. */
const end = (ending: Ending, { buyer, buyerAgent, lanes }: Arena) => {
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
        // Nothing bounds the new grant but its 30 days, so its end tells when it was renewed.
        ({ expiresAt }) => addMilliseconds(expiresAt, -limits.credentialLifetime)
      )
    case "removal":
      return Effect.map(endMembership("OPERATOR", { membershipId }), ({ endedAt }) => endedAt)
  }
}

interface Writing {
  phase: "before" | "answered" | "stopped"
  /** What was sent after the answer and had an effect all the same, and answers that mean a defect. */
  readonly late: Array<string>
  done: number
  refused: number
}

/** On a busy machine nothing has happened after a fixed time; whoever waits in vain fails by what is counted. */
const until = Effect.fnUntraced(function* (isSo: () => boolean) {
  for (let waited = 0; waited < 5_000 && !isSo(); waited++) yield* Effect.sleep(2)
})

const write = Effect.fnUntraced(function* (arena: Arena, ending: Ending, client: number, writing: Writing) {
  const lane = arena.lanes[client % arena.lanes.length]!
  while (writing.phase !== "stopped") {
    const { token, operation, body } = nextCommand(arena, lane)
    const isOver = writing.phase === "answered" && (ending === "pause" || token === arena.buyerAgent.token)
    const answer = yield* command(token, lane.projectId, operation, body)
    if (answer.status === 200) {
      if (isOver) writing.late.push(`${operation} was answered 200`)
      writing.done += 1
      learn(lane, answer.body)
    } else if (answer.status === 401 || answer.body.error === "AGENT_PAUSED") writing.refused += 1
    else if (answer.body.error === "STALE_EVENT_HEAD") {
      const view = yield* readProject(arena.supplierAgent.token, lane.projectId)
      learn(lane, view)
    } else if (answer.body.error === "DELIVERY_HISTORY_LIMIT_REACHED") return
    else writing.late.push(`${operation} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  }
})

/** Answers may overtake each other; the longer history is the newer one. */
const learn = (lane: Lane, view: any): void => {
  if (view.project.events.length >= lane.view.project.events.length) lane.view = view
}

/** A creation holds the grant alone, where every other command shares it. */
const create = Effect.fnUntraced(function* (arena: Arena, writing: Writing) {
  while (writing.phase !== "stopped") {
    const isOver = writing.phase === "answered"
    const { status, body } = yield* arena.newProject()
    if (status === 201 && isOver) writing.late.push("a creation was answered 201")
    if (status === 401) writing.refused += 1
    else if (status === 201) writing.done += 1
    else if (body.error === "CREATED_PROJECT_LIMIT") return
    else writing.late.push(`a creation was answered ${status} ${JSON.stringify(body)}`)
  }
})

/** What agents have done on the paused project, or what has happened under the ended grant. */
const committed = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  ending: Ending,
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
