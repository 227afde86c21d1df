/**
 * The attempts that a stop of webhooks finds. A trigger reads them in the transaction of the stop, which holds the locks
 * that every record of an attempt needs: they are exactly those recorded before it.
 */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"

const triggers = [
  "create table attempts_before_stop (stopped_id text, delivery_id text)",
  `create function record_attempts_before_stop() returns trigger language plpgsql as $$
   begin
     insert into attempts_before_stop select to_jsonb(new) ->> tg_argv[0], delivery_id from webhook_attempts;
     return new;
   end $$`,
  `create trigger stop before update on webhook_subscriptions for each row
   when (new.is_paused > old.is_paused or new.secret_version > old.secret_version
     or (new.revoked_at is not null and old.revoked_at is null))
   execute function record_attempts_before_stop('subscription_id')`,
  `create trigger stop before update on grants for each row
   when (new.revoked_at is not null and old.revoked_at is null)
   execute function record_attempts_before_stop('grant_id')`
]

export const recordAttemptsBeforeStops = (session: PgConnection.PgConnection) =>
  Effect.forEach(triggers, (statement) => Effect.orDie(session.query(statement, [], false)), { discard: true })

/** The deliveries whose attempt was recorded, and those of them that were recorded before the stop of this id. */
export const readAttempts = Effect.fnUntraced(function* (session: PgConnection.PgConnection, stoppedId: string) {
  const read = (query: string) =>
    Effect.map(Effect.orDie(session.queryValues(query)), (rows) => new Set(rows.map(([id]) => String(id))))
  return {
    recorded: yield* read("select delivery_id from webhook_attempts where envelope_digest <> ''"),
    recordedBefore: yield* read(`select delivery_id from attempts_before_stop where stopped_id = '${stoppedId}'`)
  }
})
