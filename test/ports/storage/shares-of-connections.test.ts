/** Requesters share the turns of a pool, whatever each of them asks for. */
import { assert, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { BoundedConcurrency } from "../../../src/ports/storage/bounded-concurrency.ts"
import { Requester, requestedBy, theService } from "../../../src/ports/storage/requester.ts"

/** Tasks that run until they are ended, under the name of their requester. */
class Tasks {
  readonly running: Array<string> = []
  readonly #ends: Array<{ readonly key: string; readonly end: Deferred.Deferred<void> }> = []
  readonly #turns: BoundedConcurrency

  constructor(turns: BoundedConcurrency) {
    this.#turns = turns
  }

  begin(key: string, isUrgent = false) {
    const work = Effect.gen({ self: this }, function* () {
      const end = yield* Deferred.make<void>()
      this.#ends.push({ key, end })
      this.running.push(key)
      yield* Deferred.await(end)
      this.running.splice(this.running.indexOf(key), 1)
    })
    const task = Effect.provideService(this.#turns.run(work, undefined), Requester, { key, isUrgent })
    return Effect.forkChild(task, { startImmediately: true })
  }

  /** Ends the oldest running task of a requester. */
  end(key: string) {
    const at = this.#ends.findIndex((one) => one.key === key)
    const [ended] = this.#ends.splice(at, 1)
    return Effect.andThen(Deferred.succeed(ended!.end, undefined), Effect.yieldNow)
  }
}

const tasks = (atOnce: number) => new Tasks(new BoundedConcurrency(atOnce, Duration.seconds(5)))

it.effect("A requester alone has every turn", () =>
  Effect.gen(function* () {
    const alone = tasks(3)
    for (let count = 0; count < 5; count++) yield* alone.begin("a")
    assert.deepStrictEqual(alone.running, ["a", "a", "a"])
  })
)

it.effect("While another waits, the next turn is its own, until both have as many", () =>
  Effect.gen(function* () {
    const shared = tasks(4)
    for (let count = 0; count < 20; count++) yield* shared.begin("a")
    for (let count = 0; count < 20; count++) yield* shared.begin("b")
    const seen: Array<string> = []
    for (let count = 0; count < 4; count++) {
      yield* shared.end("a")
      seen.push(shared.running.toSorted().join(""))
    }
    assert.deepStrictEqual(seen, ["aaab", "aabb", "aabb", "aabb"])
  })
)

it.effect("A third requester takes the next turn that ends, and an urgent task passes all", () =>
  Effect.gen(function* () {
    const shared = tasks(2)
    for (const key of ["a", "a", "a", "b", "a", "c"]) yield* shared.begin(key)
    yield* shared.begin("a", true)
    yield* shared.end("a")
    assert.deepStrictEqual(shared.running, ["a", "a"])
    yield* shared.end("a")
    assert.deepStrictEqual(shared.running, ["a", "b"])
    yield* shared.end("b")
    assert.deepStrictEqual(shared.running, ["a", "c"])
  })
)

it.effect("A task that no longer waits is not counted for its requester", () =>
  Effect.gen(function* () {
    const shared = tasks(1)
    yield* shared.begin("a")
    const gone = yield* shared.begin("b")
    yield* shared.begin("c")
    yield* Fiber.interrupt(gone)
    yield* shared.end("a")
    assert.deepStrictEqual(shared.running, ["c"])
    yield* shared.begin("b")
    yield* shared.end("c")
    assert.deepStrictEqual(shared.running, ["b"])
  })
)

it.effect("Work is the service's own until a request is authenticated for a caller", () =>
  Effect.gen(function* () {
    const key = Effect.map(Requester, (requester) => requester.key)
    assert.deepStrictEqual([yield* key, yield* requestedBy("grant g")(key)], ["service", "grant g"])
  })
)

it.effect("With a share, a requester has at most that many turns while another has asked within a second", () =>
  Effect.gen(function* () {
    const shared = new Tasks(new BoundedConcurrency(4, Duration.seconds(5), 1))
    for (let count = 0; count < 6; count++) yield* shared.begin("a")
    assert.deepStrictEqual(shared.running, ["a", "a", "a", "a"])
    yield* shared.begin("b")
    for (let count = 0; count < 4; count++) yield* shared.end("a")
    // The turn of b ends too, and its last request was less than a second ago.
    yield* shared.end("b")
    assert.deepStrictEqual(shared.running, ["a"])
    yield* TestClock.adjust("1 second")
    yield* shared.end("a")
    assert.deepStrictEqual(shared.running, ["a"])
    yield* shared.begin("a")
    yield* shared.begin("a")
    assert.deepStrictEqual(shared.running, ["a", "a", "a"])
  })
)

it.effect("A new request resumes those that waited for the end of the second", () =>
  Effect.gen(function* () {
    const shared = new Tasks(new BoundedConcurrency(4, Duration.seconds(5), 1))
    for (const key of ["a", "b", "a", "a"]) yield* shared.begin(key)
    yield* shared.end("b")
    assert.deepStrictEqual(shared.running, ["a"])
    yield* TestClock.adjust("1 second")
    yield* shared.begin("a")
    yield* Effect.yieldNow
    assert.deepStrictEqual(shared.running, ["a", "a", "a", "a"])
  })
)

it.effect("The work of the service has no share", () =>
  Effect.gen(function* () {
    const shared = new Tasks(new BoundedConcurrency(4, Duration.seconds(5), 1))
    for (const key of ["a", theService, theService, theService]) yield* shared.begin(key)
    assert.deepStrictEqual(shared.running, ["a", theService, theService, theService])
  })
)

it.effect("The service itself limits no requester to its share, and an urgent task has no share", () =>
  Effect.gen(function* () {
    const shared = new Tasks(new BoundedConcurrency(4, Duration.seconds(5), 1))
    for (const key of [theService, "a", "a"]) yield* shared.begin(key)
    assert.deepStrictEqual(shared.running, [theService, "a", "a"])
    yield* shared.end("a")
    yield* shared.begin("b")
    yield* shared.begin("b")
    yield* shared.begin("b", true)
    assert.deepStrictEqual(shared.running, [theService, "a", "b", "b"])
  })
)

it.effect("A second urgent task of a requester waits behind the first ones of others", () =>
  Effect.gen(function* () {
    const shared = tasks(2)
    for (const key of ["x", "x"]) yield* shared.begin(key)
    for (const key of ["a", "a", "a", "b"]) yield* shared.begin(key, true)
    yield* shared.end("x")
    assert.deepStrictEqual(shared.running, ["x", "a"])
    yield* shared.end("x")
    assert.deepStrictEqual(shared.running, ["a", "b"])
  })
)
