/**
 * Clients race the same commands against two servers on one Postgres. Of the requests that name one event head, one has
 * its effect; a repetition of it, on either server, is answered as a replay; all others are refused.
 */
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import { flawsOf, readEvents } from "../support/stored-chains.ts"
import type { TestInstallation } from "../support/installation.ts"
import { sendCommand, confirmAgreement, creationInput, readProject, reviewOf } from "../support/parties.ts"
import type { Answer } from "../support/service.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { createWith, makeArena, nextCommand, type Arena, type Lane } from "./arena.ts"

export interface Options {
  readonly clients: number
  /** The number of event heads to race for. */
  readonly heads: number
  /** The number of creations to race for. */
  readonly creations: number
}

/** Returns the violations; the `HttpApp` alternates between both servers. */
export const raceTwoServers = Effect.fnUntraced(function* (installation: TestInstallation, options: Options) {
  const session = yield* Effect.orDie(PgConnection.make(installation.connection))
  const arena = yield* makeArena(1)
  yield* grantCredits({ organizationId: arena.buyer.organizationId, credits: 10, reference: "race" })
  const lane = arena.lanes[0]!
  const wrong: Array<string> = []
  for (let head = 0; head < options.heads; head++) {
    const outcome = yield* raceForHead(arena, lane, options.clients, head % 2 === 0 ? "different ids" : "one id")
    wrong.push(...outcome.map((text) => `head ${head + 1}: ${text}`))
    lane.view = yield* readProject(arena.supplierAgent.token, lane.projectId)
  }
  wrong.push(...(yield* raceToAccept(session, arena, lane, options.clients)))
  for (let creation = 0; creation < options.creations; creation++) {
    const outcome = yield* raceToCreate(arena, options.clients)
    wrong.push(...outcome.map((text) => `creation ${creation + 1}: ${text}`))
  }
  wrong.push(...(yield* checkStored(session, installation, arena, options)))
  return wrong
})

// Each body is sent by a quarter of the clients. Two neighbours send the same one, to different servers.
const bodiesRaced = 4
const bodyOf = (client: number): number => (client >> 1) % bodiesRaced

const raceForHead = Effect.fnUntraced(function* (
  arena: Arena,
  lane: Lane,
  clients: number,
  kind: "different ids" | "one id"
) {
  const bodies = Array.from({ length: bodiesRaced }, (_, number) => {
    const { body } = nextCommand(arena, lane)
    const text = "summary" in body.input ? { summary: `Try ${number}.` } : { reason: `Try ${number}.` }
    return { ...body, input: { ...body.input, ...text } }
  })
  const { token, operation } = nextCommand(arena, lane)
  const requestId = bodies[0]!.input.requestId
  const raced = bodies.map((body) => (kind === "one id" ? { ...body, input: { ...body.input, requestId } } : body))
  const answers = yield* race(clients, (client) => sendCommand(token, lane.projectId, operation, raced[bodyOf(client)]))
  return violationsIn(answers, kind === "one id" ? "REQUEST_ID_CONFLICT" : "STALE_EVENT_HEAD")
})

/** All clients accept with their own request ids; the record is issued once, for one credit. */
const raceToAccept = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  arena: Arena,
  lane: Lane,
  clients: number
) {
  if (lane.view.project.state !== "SUBMITTED") {
    const { token, operation, body } = nextCommand(arena, lane)
    yield* sendCommand(token, lane.projectId, operation, body)
  }
  const view = yield* readProject(arena.buyerAgent.token, lane.projectId)
  const bodies = Array.from({ length: bodiesRaced }, () => reviewOf(view, "ACCEPT"))
  const { token } = arena.buyerAgent
  const answers = yield* race(clients, (client) => sendCommand(token, lane.projectId, "review", bodies[bodyOf(client)]))
  const [issued] = yield* Effect.orDie(
    session.queryValues(
      `select (select count(*)::int from result_records), (select count(*)::int from credit_entries where change < 0)`
    )
  )
  return [
    ...violationsIn(answers, "STALE_EVENT_HEAD"),
    ...(String(issued) === "1,1" ? [] : [`records and debits are ${String(issued)}`])
  ].map((text) => `acceptance: ${text}`)
})

const raceToCreate = Effect.fnUntraced(function* (arena: Arena, clients: number) {
  const digest = yield* confirmAgreement
  const today = yield* now
  const bodies = Array.from({ length: bodiesRaced }, () => creationInput(arena.supplier, digest, today))
  const answers = yield* race(clients, (client) => createWith(arena.buyerAgent.token, bodies[bodyOf(client)]))
  return bodies.flatMap((_, which) => {
    const same = answers.filter((_, client) => bodyOf(client) === which)
    const projects = new Set(same.map(({ body }) => body.project?.taskId))
    const first = same.filter(({ status, body }) => status === 201 && body.replayed !== true)
    return [
      projects.size === 1 ? [] : [`one request made ${projects.size} projects`],
      first.length === 1 ? [] : [`${first.length} of the same request were answered as the first`]
    ].flat()
  })
})

const race = <R>(clients: number, send: (client: number) => Effect.Effect<Answer, never, R>) =>
  Effect.forEach(
    Array.from({ length: clients }, (_, client) => client),
    send,
    { concurrency: "unbounded" }
  )

/** One body won: each of its senders got 200, one of them not as a replay; the others were refused with that code. */
const violationsIn = (answers: ReadonlyArray<Answer>, refusal: string): ReadonlyArray<string> => {
  const outcomes = answers.map(({ status, body }) =>
    status === 200 ? (body.replayed === true ? "replayed" : "first") : String(body.error)
  )
  const winners = new Set(outcomes.flatMap((outcome, index) => (outcome === "first" ? [bodyOf(index)] : [])))
  const expected = (index: number) => (winners.has(bodyOf(index)) ? ["first", "replayed"] : [refusal])
  return [
    outcomes.filter((outcome) => outcome === "first").length === 1 ? [] : ["not exactly one request had its effect"],
    outcomes.every((outcome, index) => expected(index).includes(outcome))
      ? []
      : [`the answers were ${outcomes.join(" ")}`]
  ].flat()
}

/** Every project has an intact chain, and the one raced for has one event per head. */
const checkStored = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  { publicJwk }: TestInstallation,
  arena: Arena,
  { heads, creations }: Options
) {
  const rows = yield* Effect.orDie(
    session.queryValues("select project_id, head_event_hash, event_count, agreement_digest from projects")
  )
  const wrong = rows.length === 1 + bodiesRaced * creations ? [] : [`${rows.length} projects were made`]
  for (const [projectId, head, count, agreementDigest] of rows) {
    const events = yield* readEvents(session, "project", String(projectId))
    const isIntact = events.at(-1)?.hash === head && BigInt(events.length) === count
    wrong.push(...flawsOf(events, publicJwk, String(agreementDigest)))
    if (!isIntact) wrong.push(`the row of ${String(projectId)} does not end with its chain`)
    const requests = new Set(events.map(({ payload }) => `${payload.kind} ${payload.requestId}`))
    if (requests.size !== events.length) wrong.push(`a request of ${String(projectId)} has had two effects`)
  }
  const raced = yield* readEvents(session, "project", arena.lanes[0]!.projectId)
  // Creation, response, a last submission if the heads end on a review, acceptance, issuance.
  const beside = heads % 2 === 0 ? 5 : 4
  if (raced.length !== heads + beside) wrong.push(`${raced.length} events for ${heads} heads`)
  const links = yield* Effect.orDie(
    session.queryValues("select count(*)::int from grant_projects where grant_id = $1", [
      PgTypes.text(arena.buyerAgent.grantId)
    ])
  )
  if (links[0]?.[0] !== rows.length) wrong.push("the grant does not reach each project once")
  const chain = yield* readEvents(session, "grant", arena.buyerAgent.grantId)
  return [...wrong, ...flawsOf(chain, publicJwk, null)]
})
