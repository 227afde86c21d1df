import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { Storage, type Reader, type Transaction } from "../../../src/ports/storage.ts"
import { integer, table, text } from "../../../src/ports/table.ts"
import { Actor } from "../../../simulator/kernel/actor.ts"
import type { Write } from "../../../simulator/observation/observation.ts"
import { watchCommits } from "../../../simulator/storage/watched-storage.ts"

const Counters = table("counters", {
  columns: { name: text(), place: integer, value: integer },
  key: ["name", "place"],
  guard: "append-only"
})

const idle = Effect.void
const reader: Reader = {
  get: () => Effect.undefined,
  find: () => Effect.undefined,
  range: () => Effect.succeed([])
}
const transaction: Transaction = {
  ...reader,
  hints: reader,
  lock: () => idle,
  now: Effect.die("no clock here"),
  insert: () => idle,
  update: () => idle,
  remove: () => idle,
  afterCommit: () => idle
}

/** A store that runs each body a given number of times, as after a serialization failure. */
const storeRunning = (times: number): Storage["Service"] =>
  Storage.of({
    transaction: (_plan, body) =>
      Effect.suspend(() => {
        const run = body(transaction)
        return times === 1
          ? run
          : Effect.andThen(
              Effect.exit(run),
              Effect.suspend(() => body(transaction))
            )
      }),
    view: () => Effect.die("no view"),
    claim: () => Effect.succeed([]),
    health: Effect.die("no health")
  })

const write = (transaction: Transaction) =>
  Effect.all([
    transaction.insert(Counters, { name: "a", place: 1, value: 0 }),
    transaction.update(Counters, ["a", 1], { value: 2 }),
    transaction.remove(Counters, ["a", 1])
  ])

const watched = (times: number) => {
  const commits: Array<readonly [string, ReadonlyArray<Write>]> = []
  return {
    commits,
    storage: watchCommits(storeRunning(times), (actor, _step, writes) => commits.push([actor, writes]))
  }
}

const written: ReadonlyArray<Write> = [
  { change: "insert", table: "counters", key: ["a", 1] },
  { change: "update", table: "counters", key: ["a", 1] },
  { change: "remove", table: "counters", key: ["a", 1] }
]

describe("watched store", () => {
  it.each([1, 2])("A watched store reports the writes of a transaction once after %d runs of its body", (times) => {
    const { commits, storage } = watched(times)
    Effect.runSync(storage.transaction({ locks: [] }, write).pipe(Effect.provideService(Actor, "scout")))
    assert.deepStrictEqual(commits, [["scout", written]])
  })

  it("A watched store reports neither failed transactions nor those without writes", () => {
    const { commits, storage } = watched(1)
    const failing = storage.transaction({ locks: [] }, (open) => Effect.andThen(write(open), Effect.fail("no")))
    assert.isTrue(Exit.isFailure(Effect.runSyncExit(failing)))
    Effect.runSync(storage.transaction({ locks: [] }, () => Effect.void))
    assert.deepStrictEqual(commits, [])
  })
})
