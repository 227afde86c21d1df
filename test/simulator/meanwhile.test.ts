import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { StepEnded } from "../../simulator/journey.ts"
import { holdForMeanwhile, InRequest, Meanwhile } from "../../simulator/meanwhile.ts"
import { exclusive, type Root, shared, Storage, type Transaction } from "../../src/ports/storage.ts"

const closed = new Proxy({} as Transaction, { get: () => Effect.die("nobody reads here") })

const world = () => {
  /** What happened, in order: transactions by the kinds of their roots, and what came between. */
  const seen: Array<string> = []
  const storage = holdForMeanwhile(
    Storage.of({
      transaction: ({ roots }, body) =>
        Effect.suspend(() => {
          seen.push(roots.map(({ kind }) => kind).join(" "))
          return body(closed)
        }),
      view: () => Effect.die("no view"),
      claim: () => Effect.succeed([]),
      health: Effect.die("no health")
    })
  )
  const transact = (...roots: ReadonlyArray<Root>) => storage.transaction({ roots }, () => Effect.void)
  return { seen, transact }
}

const command = [shared("membership", "m"), shared("grant", "g"), exclusive("project", "p")]

describe("what happens meanwhile", () => {
  it("comes once, before the first transaction that is more than a note of use, and is held up by nothing", () => {
    const { seen, transact } = world()
    const ending = transact(shared("person", "d"), exclusive("grant", "g"))
    const meanwhile = new Meanwhile(
      Effect.andThen(
        Effect.asVoid(ending),
        Effect.sync(() => void seen.push("ended"))
      )
    )
    const request = Effect.all([
      transact(exclusive("credential", "c")),
      transact(exclusive("person", "d")),
      transact(...command),
      transact(...command)
    ])
    Effect.runSync(Effect.provideService(request, InRequest, meanwhile))
    const held = "membership grant project"
    assert.deepStrictEqual(seen, ["credential", "person", "person grant", "ended", held, held])
  })

  it("does not stop the request where it goes wrong, and says so", () => {
    const { seen, transact } = world()
    const reason = new StepEnded({ verdict: "FAILED", reason: "another answer" })
    const meanwhile = new Meanwhile(Effect.fail(reason))
    Effect.runSync(Effect.provideService(transact(...command), InRequest, meanwhile))
    assert.strictEqual(meanwhile.ended, reason)
    assert.strictEqual(seen.length, 1)
  })

  it("is nothing where nobody waits for it", () => {
    const { seen, transact } = world()
    Effect.runSync(transact(...command))
    assert.strictEqual(seen.length, 1)
  })
})
