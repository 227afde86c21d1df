/** Kills a worker at a random moment of a burst of events, and measures when its sends are retried. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { Effect, Fiber, type Scope } from "effect"
import type { LoggingReceiver } from "../processes/webhook-processes.ts"
import type { CommandProcess } from "../support/server.ts"
import { deliveryOf } from "./webhook-receiver.ts"

export interface Kill<R> {
  readonly session: PgConnection.PgConnection
  readonly receiver: LoggingReceiver
  readonly victim: CommandProcess
  readonly burst: Effect.Effect<void, never, R>
  /** Waits for the moment of the kill; starts with the burst. */
  readonly moment: Effect.Effect<void>
  /** The maximum wait for a retry. */
  readonly maxWait: number
}

/** A send leased by the killed worker and never settled. */
export interface AbandonedSend {
  readonly deliveryId: string
  /** True if its subscription was not failing and its receiver never fails. */
  readonly isSteady: boolean
  /** Milliseconds from the kill to its next request, or to an attempt without one; undefined if none came in time. */
  readonly milliseconds: number | undefined
}

interface HeldSend {
  readonly deliveryId: string
  readonly token: string
  readonly isSteady: boolean
}

/** `restart` starts immediately, and this waits for it. */
export const killDuring = <R>(
  { session, receiver, victim, burst, moment, maxWait }: Kill<R>,
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
    const abandoned: Array<AbandonedSend> = []
    for (const { deliveryId, token, isSteady } of held) {
      if (yield* wasSettled(session, deliveryId, token, maxWait)) continue
      let milliseconds: number | undefined
      while (milliseconds === undefined && performance.now() - killedAt < maxWait) {
        const request = receiver.log.find((logged) => logged.at > killedAt && deliveryOf(logged) === deliveryId)
        const tried = yield* failedTry(session, deliveryId, performance.timeOrigin + killedAt)
        milliseconds = tried ?? (request && request.at - killedAt)
        if (milliseconds === undefined) yield* Effect.sleep(25)
      }
      abandoned.push({ deliveryId, isSteady, milliseconds })
    }
    return { restarted: yield* Fiber.join(restarting), abandoned }
  })

/** Leases of all workers; the survivor settles its own. */
const heldSends = (session: PgConnection.PgConnection): Effect.Effect<ReadonlyArray<HeldSend>> =>
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

/** The time of a later attempt without a request: on a busy machine a send can miss its deadline. */
const failedTry = Effect.fnUntraced(function* (session: PgConnection.PgConnection, deliveryId: string, since: number) {
  const tried = `select (extract(epoch from at) * 1000)::double precision - $2::double precision from webhook_attempts
    where delivery_id = $1 and envelope_digest = '' and extract(epoch from at) * 1000 > $2 order by attempt limit 1`
  const parameters = [PgTypes.text(deliveryId), PgTypes.float8(since)]
  const [row] = yield* Effect.orDie(session.queryValues(tried, parameters))
  return row === undefined ? undefined : Number(row[0])
})

/** Waits until the lease ends or changes; a settled attempt has an outcome. */
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
