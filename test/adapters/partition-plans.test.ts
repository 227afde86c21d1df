/** Each statement that the program sends on a partitioned table touches one partition, or says here why not. */
import { assert, it } from "@effect/vitest"
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { createPartitions } from "../../src/adapters/partitions/create-partitions.ts"
import { monthAfter, monthOf, startOf } from "../../src/adapters/partitions/month.ts"
import { openStatements } from "../../src/adapters/partitions/statements.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { checkPage, type PassPosition, startOfPass } from "../../src/integrity/pass.ts"
import { exportProject } from "../../src/project-export/export.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { claimSends } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { CurrentSendSteps, makeBatchedSteps } from "../../src/webhooks/send-steps.ts"
import { makeSubscriptions } from "../bench/backlog.ts"
import { withoutForeignKeys } from "../support/attempts-by-month.ts"
import { fullCapacity } from "../support/queued-deliveries.ts"
import { recordSent, type SentStatement } from "../support/sent-statements.ts"
import { freshService, postgresStorage, send, testService } from "../support/service.ts"
import { acknowledgingSender, insertDeliveries, projectWithDelivery, verificationOf } from "../support/webhooks.ts"

/** Statements that touch more, with the reason; each contains this text, and each is sent. */
const exceptions: ReadonlyArray<readonly [contains: string, reason: string]> = [
  [
    'where "subscription_id" = $1 and "envelope_digest" = $2 order by',
    "the verification of a received webhook knows the digest of its bytes and not the month: one index entry is read in each"
  ],
  [
    'where "delivery_id" = $1 order by',
    "`admin check` and an export read all attempts of a delivery, at their own pace"
  ],
  ["from unnest($1) as asked (value)", "the same of several deliveries at once"]
]

/** Rows in several months, so that the planner chooses as in a large table. */
const fill = Effect.fnUntraced(function* (database: ConnectionOptions) {
  const current = monthOf(yield* now)
  yield* createPartitions(yield* openStatements(database), current, false)
  const session = yield* withoutForeignKeys(database)
  for (let month = 0; month <= 3; month++) {
    yield* session.query(
      "insert into webhook_attempts select 'whd_' || md5(n::text), 1, 's', " +
        `${startOf(monthAfter(current, month))}::timestamptz + n * interval '1 second', md5(n::text) || md5(n::text), 1, 't',` +
        " 'ACKNOWLEDGED', 204, 12 from generate_series(1, 3000) as n on conflict do nothing"
    )
  }
  yield* session.query("analyze webhook_attempts")
})

const everyUse = Effect.gen(function* () {
  const { received, token, id, projectId } = yield* projectWithDelivery
  const verified = yield* send("POST", `/api/agents/v1/webhooks/${id}/verify`, {
    token,
    body: verificationOf(received)
  })
  assert.strictEqual(verified.status, 200)
  yield* makeSubscriptions(20)
  yield* insertDeliveries(id, 3)
  yield* fanOutDue()
  const { sends } = yield* claimSends(fullCapacity)
  assert.isAbove(sends.length, 5)
  const steps = yield* makeBatchedSteps
  const sendBatched = (one: (typeof sends)[number]) =>
    Effect.provide(Effect.provideService(sendWebhook(one), CurrentSendSteps, steps), acknowledgingSender)
  yield* Effect.forEach(sends, sendBatched, { concurrency: "unbounded", discard: true })
  yield* exportProject(projectId)
  for (let at: PassPosition | undefined = startOfPass; at !== undefined;) {
    const page: Effect.Success<ReturnType<typeof checkPage>> = yield* checkPage(at)
    at = page.next
  }
})

interface Plan {
  readonly "Relation Name"?: string
  readonly "Actual Loops"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

/** The partitions that a plan reads or changes; of a plan that was executed, those that it did. */
const partitionsIn = (plan: Plan): ReadonlyArray<string> => {
  const name = plan["Relation Name"]
  const own = name?.startsWith("webhook_attempts_") === true && plan["Actual Loops"] !== 0 ? [name] : []
  return [...new Set([...own, ...(plan.Plans ?? []).flatMap(partitionsIn)])]
}

/** Executed and rolled back, except where its rows exist already. */
const planOf = (database: ConnectionOptions, { sql, parameters }: SentStatement) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make(database)
    const explain = (options: string) =>
      Effect.gen(function* () {
        yield* session.query("begin", [], false)
        const answer = Effect.ensuring(
          session.queryValues(`explain (${options}format json) ${sql}`, parameters, false),
          Effect.ignore(session.query("rollback", [], false))
        )
        const [[plans]] = (yield* answer) as readonly [readonly [string | ReadonlyArray<{ readonly Plan: Plan }>]]
        const [{ Plan: plan }] = (typeof plans === "string" ? JSON.parse(plans) : plans) as [{ readonly Plan: Plan }]
        return plan
      })
    return yield* Effect.catch(explain("analyze, "), () => explain(""))
  }).pipe(Effect.scoped)

it.live(
  "Each statement on webhook attempts touches one partition, or is listed with the reason why not.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const database = yield* freshService
        yield* fill(database)
        const sent = yield* recordSent("webhook_attempts")
        yield* Effect.provide(everyUse, testService(postgresStorage(database)))
        const statements = [...sent.values()]
        const used = new Set<string>()
        for (const kind of ["insert into", 'update "webhook_attempts" set', 'update "webhook_attempts" as changed']) {
          assert.isTrue(
            statements.some(({ sql }) => sql.includes(kind)),
            kind
          )
        }
        for (const statement of statements) {
          const partitions = partitionsIn(yield* planOf(database, statement))
          const exception = exceptions.find(([contains]) => statement.sql.includes(contains))
          if (exception === undefined) assert.isAtMost(partitions.length, 1, `${statement.sql}\n${partitions.join()}`)
          else if (partitions.length > 1) used.add(exception[0])
        }
        assert.sameMembers(
          [...used],
          exceptions.map(([contains]) => contains)
        )
      })
    ),
  60_000
)
