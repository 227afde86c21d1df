/**
 * Cuts the connection to Postgres around COMMIT while agents and operators write through the whole service. Every request
 * has one effect and the right response, and its repetition is answered as a replay.
 */
import { PgConnection } from "@effect/sql-pg"
import type { JsonWebKey } from "node:crypto"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import type { HttpApp } from "../../src/service.ts"
import { flawsOf, readEvents } from "../support/stored-chains.ts"
import { sendCommand } from "../support/parties.ts"
import { cuts, type Proxy } from "../support/proxy.ts"
import type { Answer } from "../support/service.ts"
import { makeArena, nextCommand, type Arena } from "./arena.ts"

export interface Options {
  readonly clients: number
  /** The number of cuts around the COMMIT of a write. */
  readonly cuts: number
}

interface Ledger {
  arenas: number
  readonly sent: Array<SentRequest>
  readonly wrong: Array<string>
}

interface SentRequest {
  readonly again: Effect.Effect<Answer, never, HttpApp>
  readonly taskId: string
}

/** Writes through the service in context, whose connections go through the proxy, until all cuts are made. */
export const writeUnderCommitCuts = Effect.fnUntraced(function* (proxy: Proxy, { clients, cuts }: Options) {
  const ledger: Ledger = { arenas: 0, sent: [], wrong: [] }
  const newArena = Effect.tap(makeArena(1), () => Effect.sync(() => (ledger.arenas += 1)))
  // The first arenas are made without cuts, so that the cuts fall on requests of agents; later arenas are made under cuts.
  const first = yield* Effect.all(Array.from({ length: clients }, () => newArena))
  const budget = cutInTurn(proxy, cuts)
  const work = Effect.fnUntraced(function* (arena: Arena) {
    yield* writeIn(arena, ledger, budget)
    while (budget.left > 0) yield* writeIn(yield* newArena, ledger, budget)
  })
  yield* Effect.forEach(first, work, { concurrency: "unbounded", discard: true })
  proxy.chooseCut = () => undefined
  for (const { again, taskId } of ledger.sent) {
    const { status, body } = yield* again
    const isReplay = (status === 200 || status === 201) && body.replayed === true && body.project.taskId === taskId
    if (!isReplay) ledger.wrong.push(`the same request again was answered ${status} ${JSON.stringify(body.error)}`)
  }
  return ledger
})

/** Cuts in each of these ways in turn, and lets twelve of every seventeen writes pass, so that none is cut repeatedly. */
const cutInTurn = (proxy: Proxy, expected: number) => {
  const budget = { left: expected }
  let writes = 0
  proxy.chooseCut = (ends) => {
    if (ends === "view" || budget.left === 0) return undefined
    const cut = cuts[writes++ % 17]
    if (cut !== undefined) budget.left -= 1
    return cut
  }
  return budget
}

const commandsPerArena = 20

const writeIn = Effect.fnUntraced(function* (arena: Arena, { sent, wrong }: Ledger, budget: { readonly left: number }) {
  const lane = arena.lanes[0]!
  for (let number = 0; number < commandsPerArena && budget.left > 0; number++) {
    const isCreation = number % 4 === 3
    const next = nextCommand(arena, lane)
    const again = isCreation ? arena.newProject() : sendCommand(next.token, lane.projectId, next.operation, next.body)
    const { status, body } = yield* again
    if (status !== (isCreation ? 201 : 200) || body.replayed === true) {
      wrong.push(`${isCreation ? "a creation" : next.operation} was answered ${status} ${JSON.stringify(body.error)}`)
      return
    }
    sent.push({ again, taskId: body.project.taskId })
    if (!isCreation) lane.view = body
  }
})

/** Problems found in the database, read on a connection that is not cut. */
export const checkLedger = Effect.fnUntraced(function* (
  connection: ConnectionOptions,
  publicJwk: JsonWebKey,
  { arenas, sent }: Ledger
) {
  const session = yield* Effect.orDie(PgConnection.make(connection))
  const query = (sql: string) => Effect.orDie(session.queryValues(sql))
  const wrong: Array<string> = []
  const commands = new Map<string, number>()
  for (const { taskId } of sent) commands.set(taskId, (commands.get(taskId) ?? 0) + 1)
  const projects = yield* query("select project_id, agreement_digest, event_count::int from projects")
  for (const [projectId, digest, count] of projects) {
    const events = yield* readEvents(session, "project", String(projectId))
    wrong.push(...flawsOf(events, publicJwk, String(digest)))
    const isOfArena = events.some(({ payload }) => payload.kind === "RESPOND")
    const expected = (commands.get(String(projectId)) ?? 0) + (isOfArena ? 2 : 0)
    if (events.length !== expected || count !== expected) wrong.push(`${events.length} events instead of ${expected}`)
  }
  const grants = yield* query("select grant_id from grants")
  for (const [grantId] of grants) {
    const chain = yield* readEvents(session, "grant", String(grantId))
    wrong.push(...flawsOf(chain, publicJwk, null))
  }
  const counts = yield* query(
    "select (select count(*)::int from organizations), (select count(*)::int from memberships), count(*)::int from grants"
  )
  if (
    String(counts[0]) !==
    Array(3)
      .fill(2 * arenas)
      .join()
  )
    wrong.push(`${String(counts[0])} for ${arenas} arenas`)
  return wrong
})
