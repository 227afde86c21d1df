import { assert, describe, it } from "vitest"
import { LiveSession, SessionClosed } from "../../../simulator/scenario/live.ts"
import { defaultWorldDefinition } from "../../../simulator/serve/default-world.ts"
import { BadStep } from "../../../simulator/scenario/session.ts"

const begin = () => new LiveSession(defaultWorldDefinition, [], { acceptsAnyResponse: true })

const grant = (agent: string) => ({
  as: "sam",
  do: "grantAgent",
  input: { agent, role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] }
})

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

describe("live sessions", () => {
  it("A live session runs its steps in sequence, and only steps advance time", async () => {
    const live = begin()
    const submitted = [grant("courier"), { advance: "1h" }, { as: "courier", do: "me" }].map((step) =>
      live.submit(step)
    )
    assert.isFalse(live.isAtRest)
    assert.deepStrictEqual(live.inFlight.length, 3)
    const [granted, moved, me] = await Promise.all(submitted.map(({ outcome }) => outcome))
    assert.strictEqual(granted?.answer?.status, 200)
    assert.isAbove(moved?.fired ?? 0, 700)
    assert.strictEqual(me?.answer?.status, 200)
    assert.isTrue(live.isAtRest)
    assert.strictEqual(live.session.now, "2026-01-05T10:00:00.000Z")
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.strictEqual(live.session.now, "2026-01-05T10:00:00.000Z")
  })

  it("A live session reports the result of a request before its step ends", async () => {
    const live = begin()
    await live.submit(grant("courier")).outcome
    const order: Array<string> = []
    const { result, outcome } = live.submit({ as: "courier", do: "me" })
    await Promise.all([result.then(() => order.push("came")), outcome.then(() => order.push("ended"))])
    assert.deepStrictEqual(order, ["came", "ended"])
    assert.deepInclude(await result, { status: 200 })
    assert.isUndefined(await live.submit({ advance: "1s" }).result)
  })

  it("A live session rejects an invalid step without side effects", async () => {
    const live = begin()
    const { result, outcome } = live.submit({ ...grant("courier"), on: "nothing" })
    assert.instanceOf(await rejection(outcome), BadStep)
    assert.isUndefined(await result)
    assert.strictEqual(live.session.observations.filter(({ kind }) => kind === "step").length, 0)
    // The invalid step introduced no actor: the name is still free.
    assert.instanceOf(await rejection(live.submit({ as: "courier", do: "me" }).outcome), BadStep)
    await live.submit({ id: "granted", ...grant("courier") }).outcome
    assert.instanceOf(await rejection(live.submit(grant("courier")).outcome), BadStep)
    assert.isTrue(live.session.knowsActor("courier"))
  })

  it("A live session accepts an unexpected response as its new expectation", async () => {
    const live = begin()
    await live.submit(grant("courier")).outcome
    const { ended, differences } = await live.submit({ as: "courier", do: "listJobs", input: { limit: 0 } }).outcome
    assert.strictEqual(ended?.verdict, "FAILED")
    assert.strictEqual(differences[0]?.path, "status")
    assert.deepStrictEqual(live.session.forms.at(-1)?.expect, { error: "INVALID_REQUEST" })
    const fork = live.session.fork()
    assert.strictEqual(fork.trace, live.session.trace)
  })

  it("A visitor of a live session exists in all worlds replayed from its opening", async () => {
    const live = begin()
    live.session.introduceVisitor("iris", "Iris")
    assert.throws(() => live.session.introduceVisitor("dana", "Another Dana"), BadStep)
    assert.throws(() => live.session.introduceVisitor("a b", "No name"), BadStep)
    await live.submit({ as: "iris", do: "capabilities" }).outcome
    const again = new LiveSession(live.session.opening, live.session.forms, { acceptsAnyResponse: true })
    assert.strictEqual(again.session.trace, live.session.trace)
  })
})

describe("held requests", () => {
  it("A held request waits until its release, and time advances only afterwards", async () => {
    const live = begin()
    await live.submit({ as: "sam", do: "signIn" }).outcome
    live.hold("sam")
    const { result, outcome } = live.submit(grant("courier"))
    await until(() => live.frozenFor.length > 0)
    assert.deepStrictEqual(live.frozenFor, ["grantAgent of sam, which is held back"])
    const moving = live.submit({ advance: "1m" })
    const beside = await live.submit({ as: "dana", do: "signIn" }).outcome
    assert.strictEqual(beside.answer?.status, 200)
    assert.strictEqual(live.session.now, "2026-01-05T09:00:00.000Z")
    assert.strictEqual(live.release("sam"), 1)
    assert.strictEqual((await outcome).answer?.status, 201)
    assert.isDefined(await result)
    await moving.outcome
    assert.strictEqual(live.session.now, "2026-01-05T09:01:00.000Z")
    assert.strictEqual(live.session.fork().trace, live.session.trace)
    assert.strictEqual(live.release("sam"), 0)
  })

  it("A request without a transaction is not held", async () => {
    const live = begin()
    await live.submit(grant("courier")).outcome
    live.hold("courier")
    const { ended, answer } = await live.submit({ as: "courier", do: "me" }).outcome
    assert.isUndefined(ended)
    assert.strictEqual(answer?.status, 200)
  })
})

describe("closed sessions", () => {
  it("Closing a session stops its world and rejects running, queued and later steps", async () => {
    const live = begin()
    // A worker whose clock differs runs every pass, so that the advance takes long.
    await live.submit({ as: "operator", do: "setClock", input: { process: "worker", offset: "+400ms" } }).outcome
    const long = live.submit({ advance: "3650d" })
    const waiting = live.submit(grant("courier"))
    await until(() => live.session.now > "2026-01-05T09:00:00.000Z")
    live.close()
    const { now } = live.session
    const late = live.submit({ advance: "1s" })
    for (const { result, outcome } of [long, waiting, late]) {
      assert.instanceOf(await rejection(outcome), SessionClosed)
      assert.isUndefined(await result)
    }
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    assert.strictEqual(live.session.now, now)
    assert.isTrue(live.isAtRest)
    assert.isUndefined(live.session.storedSteps[1]?.hasEnded)
  })

  it("Closing a session rejects the steps of held requests", async () => {
    const live = begin()
    await live.submit({ as: "sam", do: "signIn" }).outcome
    live.hold("sam")
    const { outcome } = live.submit(grant("courier"))
    await until(() => live.frozenFor.length > 0)
    live.close()
    assert.instanceOf(await rejection(outcome), SessionClosed)
    assert.deepStrictEqual(live.frozenFor, [])
  })
})

/** Fails after 1,000 turns of the event loop. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.isTrue(holds())
}
