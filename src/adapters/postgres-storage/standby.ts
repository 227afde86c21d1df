/**
 * Where a synchronous standby is required, a command commits only while the server waits for one. The setting is read by the
 * transaction before its COMMIT, and again right after it, since a cluster manager that loses the standby empties the
 * setting and thereby releases the commits that wait.
 */
import { Effect, Exit } from "effect"
import { noStandby } from "../../ports/storage/transaction-retry.ts"
import type { Session } from "./session.ts"
import type { Statement } from "./statements.ts"

/** An SQL expression: whether the server answers a COMMIT only once a standby has it. */
export const hasStandby =
  "current_setting('synchronous_standby_names') <> ''" +
  " and current_setting('synchronous_commit') in ('on', 'remote_apply', 'remote_write')"

const missing = `errcode = '${noStandby}', message = 'no synchronous standby'`

const requireStandby: Statement = {
  sql: `do $$ begin if not (${hasStandby}) then raise exception using ${missing}; end if; end $$`,
  parameters: [],
  label: "synchronous standby"
}

/** Fails, and with it the transaction, where the server has no synchronous standby. */
export const submitRequirement = (session: Session): void => void session.submit(requireStandby)

/** Sent along with COMMIT: whether the server still had a synchronous standby once the commit was answered. */
export const submitConfirmation = (session: Session): Effect.Effect<boolean> => {
  const read = session.submit({ sql: `select ${hasStandby}`, parameters: [], label: "synchronous standby" })
  return Effect.map(Effect.exit(session.rows(read)), (exit) => Exit.isSuccess(exit) && exit.value[0]?.[0] === true)
}
