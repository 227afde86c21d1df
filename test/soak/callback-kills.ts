/** Kills a worker at a random moment of a burst of events, and measures how long until what it held was sent again. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { Effect, Fiber, type Scope } from "effect"
import type { LoggingReceiver } from "../processes/callback-processes.ts"
import type { CommandProcess } from "../support/server.ts"
import { deliveryOf } from "./callback-receiver.ts"

export interface Kill<R> {
  readonly session: PgConnection.PgConnection
  readonly receiver: LoggingReceiver
  readonly victim: CommandProcess
  readonly burst: Effect.Effect<void, never, R>
  /** Waits for the moment of the kill; it begins with the burst. */
  readonly moment: Effect.Effect<void>
  /** How long to wait for a send to be made again, at most. */
  readonly patience: number
}

/** A send that the killed worker held and never settled. */
export interface Abandoned {
  readonly deliveryId: string
  /** True where its subscription was not failing, and is one that never does by its own. */
  readonly isSteady: boolean
  /** From the kill to its next request, or try that did not get as far; undefined where none came in time. */
  readonly milliseconds: number | undefined
}

interface Held {
  readonly deliveryId: string
  readonly token: string
  readonly isSteady: boolean
}

/** `restart` begins at once, and this waits for it. */
export const killDuring = <R>(
  { session, receiver, victim, burst, moment, patience }: Kill<R>,
  restart: Effect.Effect<CommandProcess, never, Scope.Scope>
) =>
  Effect.gen(function* () {
    const committing = yield* Effect.forkChild(burst)
    yield* moment
    const killedAt = performance.now()
    victim.child.kill("SIGKILL")
    yield* Effect.promise(() => victim.ended)
    const restarting = yield* Effect.forkChild(restart)
    const held = yield* heldSends(session)
    yield* Fiber.join(committing)
    const abandoned: Array<Abandoned> = []
    for (const { deliveryId, token, isSteady } of held) {
      if (yield* wasSettled(session, deliveryId, token, patience)) continue
      let milliseconds: number | undefined
      while (milliseconds === undefined && performance.now() - killedAt < patience) {
        const request = receiver.log.find((logged) => logged.at > killedAt && deliveryOf(logged) === deliveryId)
        const tried = yield* failedTry(session, deliveryId, performance.timeOrigin + killedAt)
        milliseconds = tried ?? (request && request.at - killedAt)
        if (milliseconds === undefined) yield* Effect.sleep(25)
      }
      abandoned.push({ deliveryId, isSteady, milliseconds })
    }
    return { restarted: yield* Fiber.join(restarting), abandoned }
  })

/** Whoever holds them: the survivor settles its own. */
const heldSends = (session: PgConnection.PgConnection): Effect.Effect<ReadonlyArray<Held>> =>
  Effect.map(
    Effect.orDie(
      session.queryValues(
        `select d.delivery_id, d.lease_token, s.failures = 0 and s.target like '%/steady/%'
         from webhook_deliveries d join webhook_subscriptions s using (subscription_id) where d.lease_token <> ''`
      )
    ),
    (rows) =>
      rows.map(([deliveryId, token, isSteady]) => ({
        deliveryId: String(deliveryId),
        token: String(token),
        isSteady: isSteady === true
      }))
  )

/** How long after that moment it was tried without a request: on a busy machine a send can run out of its deadline. */
const failedTry = Effect.fnUntraced(function* (session: PgConnection.PgConnection, deliveryId: string, since: number) {
  const tried = `select (extract(epoch from at) * 1000)::double precision - $2::double precision from webhook_attempts
    where delivery_id = $1 and envelope_digest = '' and extract(epoch from at) * 1000 > $2 order by attempt limit 1`
  const parameters = [PgTypes.text(deliveryId), PgTypes.float8(since)]
  const [row] = yield* Effect.orDie(session.queryValues(tried, parameters))
  return row === undefined ? undefined : Number(row[0])
})

/** Waits until it is somebody else's or nobody's; what was settled has an outcome. */
const wasSettled = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  deliveryId: string,
  token: string,
  patience: number
) {
  const parameters = [PgTypes.text(deliveryId), PgTypes.text(token)]
  const isHeld = "select from webhook_deliveries where delivery_id = $1 and lease_token = $2"
  const outcome = "select from webhook_attempts where delivery_id = $1 and lease_token = $2 and outcome is not null"
  for (let waited = 0; waited < patience; waited += 25) {
    if ((yield* Effect.orDie(session.queryValues(isHeld, parameters))).length === 0) break
    yield* Effect.sleep(25)
  }
  return (yield* Effect.orDie(session.queryValues(outcome, parameters))).length > 0
})
