import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import type { FaultPoint, InjectedStoreFault } from "../../../simulator/storage/memory-storage/faults.ts"
import { layer, type Options } from "../../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../../simulator/storage/memory-storage/store.ts"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import { exclusive, shared, Storage, StorageUnavailable } from "../../../src/ports/storage.ts"
import { addOne, balanceOf, openAccounts } from "../../contract/storage/processes.ts"
import { fact } from "../../contract/storage/ranges.ts"
import { Accounts, Facts, Keys, Replays } from "../../contract/tables.ts"

type Store = Storage["Service"]

const lockTables = { project: Accounts }

const serve = (store: MemoryStore, options: Options = {}): Effect.Effect<Store> =>
  Effect.scoped(Effect.map(Layer.build(layer(store, options)), (built) => Context.get(built, Storage)))

/** Runs a program in virtual time and returns its value; a failure fails the test. */
const simulated = <A>(
  program: (scheduler: VirtualScheduler) => Effect.Effect<A>,
  choose?: (labels: ReadonlyArray<string>) => number
) => {
  const scheduler = new VirtualScheduler({ seed: 1, startsAt: 0, ...(choose === undefined ? {} : { choose }) })
  const exit = scheduler.run(program(scheduler))
  return Exit.isSuccess(exit) ? exit.value : assert.fail(Cause.pretty(exit.cause))
}

/** The results of a program under all its schedules. */
const everySchedule = <A>(program: (scheduler: VirtualScheduler) => Effect.Effect<A>): ReadonlyArray<A> => {
  const results: Array<A> = []
  for (let prefix: ReadonlyArray<number> | undefined = []; prefix !== undefined;) {
    const taken: Array<{ readonly choice: number; readonly among: number }> = []
    const start: ReadonlyArray<number> = prefix
    results.push(
      simulated(program, (labels) => {
        const choice = start[taken.length] ?? 0
        taken.push({ choice, among: labels.length })
        return choice
      })
    )
    const last = taken.findLastIndex(({ choice, among }) => choice + 1 < among)
    prefix = last < 0 ? undefined : [...taken.slice(0, last).map(({ choice }) => choice), taken[last]!.choice + 1]
  }
  return results
}

describe("exhaustive schedules", () => {
  it("Every schedule of two increments under a lock counts both", () => {
    const balances = everySchedule((scheduler) =>
      Effect.gen(function* () {
        const memory = new MemoryStore(lockTables)
        yield* openAccounts(yield* serve(memory), ["a"])
        const [here, there] = [
          yield* serve(memory, { gate: scheduler.park }),
          yield* serve(memory, { gate: scheduler.park })
        ]
        yield* Effect.all([addOne(here, "a"), addOne(there, "a")], { concurrency: "unbounded" })
        return yield* balanceOf(yield* serve(memory), "a")
      })
    )
    assert.isAbove(balances.length, 5)
    assert.deepStrictEqual(new Set(balances), new Set([2]))
  })

  it("In every schedule of a command and a revocation, the command commits before the acknowledgement or not at all", () => {
    const outcomes = everySchedule((scheduler) =>
      Effect.gen(function* () {
        const memory = new MemoryStore(lockTables)
        const quiet = yield* serve(memory)
        yield* openAccounts(quiet, ["a"])
        yield* quiet.transaction({ locks: [] }, (transaction) => transaction.insert(Keys, { id: "k", revoked: false }))
        const [here, there] = [
          yield* serve(memory, { gate: scheduler.park }),
          yield* serve(memory, { gate: scheduler.park })
        ]
        let balanceAtAnswer: number | undefined
        const command = here.transaction(
          { locks: [shared("grant", "k")], deferred: [exclusive("project", "a")] },
          (transaction) =>
            Effect.gen(function* () {
              const key = yield* transaction.get(Keys, ["k"])
              if (key!.revoked) return
              yield* transaction.lock(exclusive("project", "a"))
              yield* transaction.update(Accounts, ["a"], { balance: 1 })
            })
        )
        const revoke = there.transaction({ locks: [exclusive("grant", "k")] }, (transaction) =>
          transaction.update(Keys, ["k"], { revoked: true })
        )
        const answered = Effect.andThen(
          revoke,
          Effect.map(balanceOf(quiet, "a"), (balance) => void (balanceAtAnswer = balance))
        )
        yield* Effect.all([command, answered], { concurrency: "unbounded" })
        return `${balanceAtAnswer} then ${yield* balanceOf(quiet, "a")}`
      })
    )
    assert.deepStrictEqual(new Set(outcomes), new Set(["1 then 1", "0 then 0"]))
  })

  it("Every race for an idempotency key has one effect and one response", () => {
    const results = everySchedule((scheduler) =>
      Effect.gen(function* () {
        const gated = yield* serve(new MemoryStore(lockTables), { gate: scheduler.park })
        let ran = 0
        const once = (answer: string) =>
          gated.transaction({ locks: [] }, (transaction) =>
            Effect.gen(function* () {
              ran += 1
              const earlier = yield* transaction.get(Replays, ["request"])
              if (earlier !== undefined) return earlier.answer
              yield* transaction.insert(Replays, { id: "request", place: "here", answer })
              return answer
            })
          )
        const answers = yield* Effect.all([once("one"), once("two")], { concurrency: "unbounded" })
        return `${new Set(answers).size} answer after ${ran} runs`
      })
    )
    assert.deepStrictEqual(new Set(results), new Set(["1 answer after 2 runs", "1 answer after 3 runs"]))
  })

  it("Two transactions that count rows without a lock may both see none, as on Postgres", () => {
    const seen = everySchedule((scheduler) =>
      Effect.gen(function* () {
        const gated = yield* serve(new MemoryStore(lockTables), { gate: scheduler.park })
        const count = (id: string) =>
          gated.transaction({ locks: [] }, (transaction) =>
            Effect.gen(function* () {
              const rows = yield* transaction.range(Facts, "key", { prefix: [], limit: 9 })
              yield* transaction.insert(Facts, fact(id))
              return rows.length
            })
          )
        const counts = yield* Effect.all([count("a"), count("b")], { concurrency: "unbounded" })
        return counts.join()
      })
    )
    assert.deepStrictEqual(new Set(seen), new Set(["0,0", "0,1", "1,0"]))
  })
})

describe("injected faults", () => {
  const expected: ReadonlyArray<readonly [InjectedStoreFault, FaultPoint["at"], runs: number, "done" | "unavailable"]> =
    [
      ["40001", "commit", 2, "done"],
      ["40P01", "lock", 1, "done"],
      ["40001", "read", 2, "done"],
      ["23505", "commit", 2, "done"],
      ["57014", "read", 1, "unavailable"],
      ["53200", "begin", 0, "unavailable"],
      ["25006", "commit", 1, "unavailable"],
      ["connection-lost", "begin", 1, "done"],
      ["connection-lost", "read", 2, "done"],
      ["connection-lost", "commit", 2, "done"],
      ["commit-lost-committed", "commit", 1, "done"],
      ["commit-lost-aborted", "commit", 2, "done"],
      ["commit-lost-running", "commit", 1, "done"]
    ]
  for (const [code, at, runs, outcome] of expected) {
    it(`A transaction with ${code} at ${at} ends as ${outcome} after ${runs} runs of its body, with at most one effect`, () => {
      const results = simulated(() =>
        Effect.gen(function* () {
          const memory = new MemoryStore(lockTables)
          yield* openAccounts(yield* serve(memory), ["a"])
          let left = 1
          const fault = (point: FaultPoint) => (point.at === at && left-- > 0 ? code : undefined)
          const faulty = yield* serve(memory, { fault })
          let ran = 0
          let wakeUps = 0
          const exit = yield* Effect.exit(
            faulty.transaction({ locks: [exclusive("project", "a")] }, (transaction) =>
              Effect.gen(function* () {
                ran += 1
                yield* transaction.afterCommit(Effect.sync(() => void (wakeUps += 1)))
                const row = yield* transaction.get(Accounts, ["a"])
                yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
              })
            )
          )
          const isUnavailable = Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StorageUnavailable
          return [isUnavailable ? "unavailable" : "done", ran, wakeUps, yield* balanceOf(yield* serve(memory), "a")]
        })
      )
      const effects = outcome === "done" ? 1 : 0
      assert.deepStrictEqual(results, [outcome, runs, effects, effects])
    })
  }

  it("A running COMMIT whose response was lost holds its locks until it ends", () => {
    const balances = simulated(() =>
      Effect.gen(function* () {
        const memory = new MemoryStore(lockTables)
        yield* openAccounts(yield* serve(memory), ["a"])
        let left = 1
        const fault = ({ at }: FaultPoint) =>
          at === "commit" && left-- > 0 ? ("commit-lost-running" as const) : undefined
        const [lossy, sound] = [yield* serve(memory, { fault }), yield* serve(memory)]
        return yield* Effect.all([addOne(lossy, "a"), addOne(sound, "a")], { concurrency: "unbounded" })
      })
    )
    assert.deepStrictEqual(balances, [1, 2])
  })
})

describe("timeouts", () => {
  const unavailableAfter = (milliseconds: number, options: Options, sameService: boolean) => () => {
    const results = simulated((scheduler) =>
      Effect.gen(function* () {
        const memory = new MemoryStore(lockTables)
        const here = yield* serve(memory, options)
        const there = sameService ? here : yield* serve(memory, options)
        yield* openAccounts(here, ["a", "b"])
        yield* Effect.forkChild(addOne(here, "a", Effect.sleep("1 hour")), { startImmediately: true })
        const waited = yield* Effect.exit(addOne(there, sameService ? "b" : "a"))
        return [Exit.isFailure(waited) && Cause.squash(waited.cause) instanceof StorageUnavailable, scheduler.now]
      })
    )
    assert.deepStrictEqual(results, [true, milliseconds])
  }

  it("A wait for a lock times out after two seconds", unavailableAfter(2000, {}, false))
  it("A wait for a connection times out after five seconds", unavailableAfter(5000, { connections: 1 }, true))
})

describe("memory store", () => {
  const filled = (ids: ReadonlyArray<string>) =>
    simulated(() =>
      Effect.gen(function* () {
        const memory = new MemoryStore(lockTables)
        const store = yield* serve(memory)
        for (const id of ids) yield* openAccounts(store, [id])
        return memory
      })
    )

  it("The hash of a store depends only on its rows", () => {
    assert.strictEqual(filled(["a", "b"]).hash(), filled(["b", "a"]).hash())
    assert.notStrictEqual(filled(["a", "b"]).hash(), filled(["a", "c"]).hash())
    assert.strictEqual(filled([]).hash(), new MemoryStore(lockTables).hash())
  })

  it("A fork of a store is independent and can restore earlier rows", () => {
    const memory = filled(["a"])
    const [before, hash] = [memory.content, memory.hash()]
    const fork = memory.fork()
    simulated(() => Effect.flatMap(serve(fork), (store) => Effect.asVoid(addOne(store, "a"))))
    assert.strictEqual(memory.hash(), hash)
    assert.notStrictEqual(fork.hash(), hash)
    fork.restore(before)
    assert.strictEqual(fork.hash(), hash)
  })
})
