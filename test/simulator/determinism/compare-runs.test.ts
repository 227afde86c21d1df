/** A difference between two configurations is reported at the first event that shows it. */
import { Context, Effect, Layer, Result } from "effect"
import { assert, describe, it } from "vitest"
import { compareRuns } from "../../../simulator/determinism/compare-runs.ts"
import { type Configuration, inMemory } from "../../../simulator/determinism/configurations.ts"
import { MemoryStore } from "../../../simulator/storage/memory-storage/store.ts"
import { layer as memoryLayer } from "../../../simulator/storage/memory-storage/layer.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulateOn } from "../../../simulator/scenario/simulate.ts"
import { Storage, type Reader, type Transaction } from "../../../src/ports/storage.ts"
import { lockTables } from "../../../src/tables.ts"

const script = `
scenario: Two who belong here
given:
  organizations: { harbor: Harbor Museum }
  people:
    dana: { name: Dana, member: { harbor: [MEMBERS_MANAGE] } }
    kim: { name: Kim, member: { harbor: [DELEGATE] } }
steps:
  - { as: dana, do: signIn }
  - { as: dana, do: listMembers, on: "\${harbor.id}" }
`
const scenario = Result.getOrThrow(readScenario("members.yaml", script))

/** The store in memory, with `change` applied to the rows of each range. */
const over = (name: string, change: <Row>(rows: ReadonlyArray<Row>) => ReadonlyArray<Row>): Configuration => ({
  name,
  instances: 1,
  run: (file, scenario) =>
    Effect.gen(function* () {
      const built = yield* Layer.build(memoryLayer(new MemoryStore(lockTables)))
      const storage = Context.get(built, Storage)
      const reading = (reader: Reader): Reader => ({
        get: (table, key) => reader.get(table, key),
        find: (table, index, values) => reader.find(table, index, values),
        range: (table, index, asked) => Effect.map(reader.range(table, index, asked), change)
      })
      const writing = (transaction: Transaction): Transaction => ({
        ...reading(transaction),
        hints: reading(transaction.hints),
        lock: (root) => transaction.lock(root),
        now: transaction.now,
        insert: (table, row) => transaction.insert(table, row),
        update: (table, key, changes) => transaction.update(table, key, changes),
        remove: (table, key) => transaction.remove(table, key),
        afterCommit: (wake) => transaction.afterCommit(wake)
      })
      const wrapped: Storage["Service"] = {
        ...storage,
        view: (body) => storage.view((reader) => body(reading(reader))),
        transaction: (plan, body) => storage.transaction(plan, (transaction) => body(writing(transaction)))
      }
      return yield* Effect.promise(() => simulateOn([wrapped], scenario, { file }))
    }).pipe(Effect.scoped)
})

const compare = (...configurations: ReadonlyArray<Configuration>) =>
  Effect.runPromise(compareRuns("members.yaml", scenario, configurations))

describe("compareRuns", () => {
  it("Configurations with equal answers have no difference, with one instance and with two", async () => {
    assert.isUndefined(
      await compare(
        inMemory(1),
        inMemory(2),
        over("wrapped", (rows) => rows)
      )
    )
  })

  it("Another order of rows is reported at the first event that it changes, with both configurations", async () => {
    const divergence = await compare(
      inMemory(1),
      over("reversed", (rows) => rows.toReversed())
    )
    assert.strictEqual(divergence?.reason, "memory, 1 instance and reversed differ")
    const told = divergence?.details.join("\n") ?? ""
    assert.match(told, /the traces differ from line \d+/)
    assert.match(told, /memory, 1 instance: response dana 200/)
    assert.match(told, /reversed: +response dana 200/)
    assert.match(told, /body\.members\.0\.name: "Dana" and "Kim"|body\.members\.0\.name: "Kim" and "Dana"/)
  })

  it("A scenario that fails in the first configuration is reported and not compared", async () => {
    const failing = Result.getOrThrow(
      readScenario("members.yaml", script.replace("do: listMembers", "do: readCredits"))
    )
    const divergence = await Effect.runPromise(compareRuns("members.yaml", failing, [inMemory(1), inMemory(2)]))
    assert.strictEqual(divergence?.reason, "memory, 1 instance: the run does not pass")
    assert.match(divergence?.details.join("\n") ?? "", /FAILED at step 2/)
  })
})
