/** `admin check` over databases that scenarios produced, whole and damaged by SQL. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Result } from "effect"
import { seededSigner } from "../../simulator/environment/signer.ts"
import { RandomStreams } from "../../simulator/kernel/prng.ts"
import { readScript } from "../../simulator/scenario/files.ts"
import { simulate, simulateOn } from "../../simulator/scenario/simulate.ts"
import { emptyContent, type Content } from "../../simulator/storage/memory-storage/content.ts"
import { layer as memoryLayer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { checkPage, cursorOf, type Finding, positionFrom, startOfPass } from "../../src/integrity/pass.ts"
import { migrations } from "../../src/migrations/all.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { copyOfDatabase, execute, migratedDatabase } from "../support/postgres.ts"
import { shippedScenarios } from "../simulator/support/monitored-run.ts"

/** A pass to its end; each page continues from the printed cursor of the one before. */
const findingsOf = Effect.gen(function* () {
  const findings: Array<Finding> = []
  let checked = 0
  for (let at: typeof startOfPass | undefined = startOfPass; at !== undefined;) {
    const page: Effect.Success<ReturnType<typeof checkPage>> = yield* checkPage(yield* positionFrom(cursorOf(at)))
    findings.push(...page.findings)
    checked += page.checked
    at = page.next
  }
  return { findings, checked }
})

const signerOf = (...seeds: ReadonlyArray<number>) => {
  const [first, ...others] = seeds.map((seed) => seededSigner(new RandomStreams(seed)))
  const keys = [...first!.keys.keys, ...others.flatMap((signer) => signer.keys.keys)]
  return Layer.succeed(Signer, { sign: first!.sign, keys: { ...first!.keys, keys } })
}

const scenarioNamed = (file: string, seed = 1) => ({ ...Result.getOrThrow(readScript(file)), seed })

// Scenarios that fill a limit are slow.
const slow = /\/(full-grant|limits-of-texts|limits-of-storage)\//
const some = shippedScenarios.filter((file, index) => index % 5 === 0 && !slow.test(file))

describe("A check of the rows that a scenario leaves behind", () => {
  it.live.each(some)("A check finds nothing in the rows of the scenario %s", (file) =>
    Effect.gen(function* () {
      const scenario = Result.getOrThrow(readScript(file))
      let rows: Content = emptyContent
      simulate(scenario, { file, onObservation: (_, content = emptyContent) => void (rows = content) })
      const storage = memoryLayer(new MemoryStore(lockTables, rows))
      const { findings } = yield* findingsOf.pipe(Effect.provide([storage, signerOf(scenario.seed)]))
      assert.deepStrictEqual(findings, [])
    })
  )
})

const damages: ReadonlyArray<readonly [title: string, statement: string, check: string, problem: RegExp]> = [
  [
    "an event whose hash was changed",
    "update project_events set hash = repeat('0', 64) where sequence = 2",
    "chain",
    /event 2 of .* is stored under another hash/
  ],
  ["an event that is gone", "delete from project_events where sequence = 2", "chain", /event 3 of .* is at position 2/],
  [
    "an event with an empty signature",
    "update project_events set jws = split_part(jws, '.', 1) || '.' || split_part(jws, '.', 2) || '.' where sequence = 1",
    "chain",
    /has an invalid signature/
  ],
  [
    "a head that is not the last event",
    "update projects set head_event_hash = repeat('0', 64)",
    "chain",
    /the head of .* is not its last event/
  ],
  [
    "an event dated before its predecessor",
    "update project_events set occurred_at = '2020-01-01' where sequence = 2",
    "dates",
    /event 2 of .* is dated before its predecessor/
  ],
  [
    "a pause that is not counted",
    "update projects set automation_revision = automation_revision + 1",
    "pauses",
    /counts 1 pauses and resumes and has 0/
  ],
  ["a proposal's event that is gone", "delete from proposal_events where sequence = 1", "chain", /of proposal_/],
  [
    "an authority event with the signature of another one",
    "update authority_events a set jws = b.jws, hash = b.hash from authority_events b where b.grant_id <> a.grant_id and b.sequence = a.sequence",
    "chain",
    /was signed for another position/
  ],
  [
    "a credential of a future generation",
    "update credentials set generation = generation + 1",
    "tokens",
    /has a credential of a future generation/
  ],
  [
    "a credential under another membership",
    "update credentials set membership_id = 'membership_x'",
    "tokens",
    /has a credential under another membership/
  ],
  [
    "a grant under the membership of another person",
    "update memberships set person_id = 'person_x'",
    "tokens",
    /under the membership of another person/
  ],
  [
    "a balance that is not the sum of its entries",
    "update organization_credits set balance = balance + 1",
    "credits",
    /and its entries sum to/
  ],
  [
    "more credits used than granted",
    "update credit_entries set change = 0, balance = 0 where sequence = 1",
    "credits",
    /has used more credits than it had/
  ],
  [
    "a record without a debit",
    "delete from credit_entries where confirmation_id is not null",
    "credits",
    /has 0 debits of its buyer/
  ],
  ["a debit without a record", "delete from result_records", "credits", /was charged for .* without a record/],
  [
    "an issued request without a record",
    "update issuances set record_id = 'record_x' where status = 'ISSUED'",
    "queues",
    /is ISSUED and the record of .* is missing/
  ],
  [
    "an issuance request that nothing will claim",
    "update issuances set status = 'PENDING', continuation = null, record_id = null",
    "queues",
    /is pending without a due time/
  ],
  [
    "a delivery that nothing will claim",
    "update webhook_deliveries set state = 'PENDING'",
    "queues",
    /is pending without a due time/
  ],
  [
    "a delivery that is gone",
    "delete from webhook_deliveries where number = 1",
    "queues",
    /has a gap in its delivery numbers/
  ],
  [
    "an attempt that is gone",
    "delete from webhook_attempts where attempt = 1",
    "queues",
    /counts 1 attempts and has 0|is delivered without an acknowledgement/
  ],
  [
    "a subscription that is not scheduled",
    "update webhook_subscriptions set due_at = '9999-12-31T23:59:59.999Z', expires_at = '2090-01-01', revoked_at = null, is_paused = false",
    "queues",
    /is active and not scheduled/
  ],
  [
    "a journal's entry that was changed",
    "update commerce_entries set entry = replace(entry, '\"sequence\":1', '\"sequence\":9') where sequence = 1",
    "journals",
    /has another number/
  ],
  [
    "a journal without its last entry",
    "update commerce_orders set journal_head = repeat('0', 64)",
    "journals",
    /does not name its last entry/
  ],
  [
    "a total of bytes that is wrong",
    "update commerce_orders set journal_bytes = journal_bytes + 1",
    "journals",
    /counts \d+ bytes of entries/
  ],
  [
    "latest facts that the journal does not have",
    "update commerce_entities set facts = '{}'",
    "journals",
    /has other latest facts/
  ],
  [
    "a financial event that names no predecessor",
    "update result_orders set terms = '{}'",
    "journals",
    /does not name its predecessor/
  ],
  ["text that cannot be parsed", "update commerce_orders set binding = 'no JSON'", "content", /holds no canonical JSON/]
]

const produced = [
  "scenarios/first-record/first-record/scenario.yaml",
  "scenarios/proposals/proposal-accepted/scenario.yaml",
  "scenarios/webhooks/duplicates-and-reordering/scenario.yaml",
  "scenarios/commerce/offer-to-payout/scenario.yaml"
]

const storageOn = (connection: ConnectionOptions) =>
  PostgresStorage.layer({ connection, tables, lockTables, schema: schemaRangeOf(migrations), maxConnections: 4 })

const signer = signerOf(...produced.map((_, index) => index + 1))

/** One database with everything that is checked. */
const databaseOfScenarios = Effect.gen(function* () {
  const connection = yield* migratedDatabase
  yield* Effect.gen(function* () {
    const storage = yield* Storage
    for (const [index, file] of produced.entries()) {
      const { verdict, story } = yield* Effect.promise(() =>
        simulateOn([storage], scenarioNamed(file, index + 1), { file })
      )
      assert.strictEqual(verdict, "PASSED", story)
      // The next scenario has people of the same names.
      yield* execute(connection, ["update persons set subject = person_id"])
    }
  }).pipe(Effect.provide(storageOn(connection)), Effect.scoped)
  return connection
})

it.live(
  "A check of a database of several scenarios finds nothing, and names each damage of a copy, by ids only.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const whole = yield* databaseOfScenarios
        const { findings, checked } = yield* findingsOf.pipe(Effect.provide([storageOn(whole), signer]))
        assert.deepStrictEqual(findings, [])
        assert.isAbove(checked, 20)
        const unnamed: Array<string> = []
        for (const [title, statement, check, problem] of damages) {
          const copy = yield* copyOfDatabase(whole)
          // Without its foreign keys: damage comes from outside, such as a disk or a script.
          const damaged = yield* Effect.exit(execute(copy, ["set session_replication_role = replica", statement]))
          if (Exit.isFailure(damaged)) {
            unnamed.push(`${title}: ${Cause.pretty(damaged.cause)}`)
            continue
          }
          const { findings: found } = yield* findingsOf.pipe(Effect.provide([storageOn(copy), signer]))
          const isNamed = found.some((finding) => finding.check === check && problem.test(finding.problem))
          if (!isNamed) unnamed.push(`${title}: ${JSON.stringify(found.slice(0, 3))}`)
          assert.notMatch(JSON.stringify(found), /Harbor|Lumen|Dana|Logo/i)
        }
        assert.deepStrictEqual(unnamed, [])
      })
    ),
  300_000
)
