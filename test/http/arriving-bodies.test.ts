/** Which body is dropped at which limit. */
import { assert, describe, it } from "@effect/vitest"
import { ArrivingBodies, type ArrivingBody, type Bounds } from "../../src/http/arriving-bodies.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const wide: Bounds = { slow: 100, slowPerAddress: 100, bytes: 1_000 }

const bodiesWithin = (bounds: Partial<Bounds>) => {
  const dropped: Array<string> = []
  const reasons: Array<string> = []
  const bodies = new ArrivingBodies({ ...wide, ...bounds }, (reason) => void reasons.push(reason))
  let instant = 0
  const begin = (name: string, network: string, isAnonymous = true): ArrivingBody => {
    const drop: ArrivingBody["drop"] = ({ code, facts }) => void dropped.push(`${name}: ${code}: ${facts.detail}`)
    const body = { network, isAnonymous, drop }
    bodies.add(body, instant)
    return body
  }
  const pass = (milliseconds: number) => bodies.sweep((instant += milliseconds))
  const slow = (...given: Parameters<typeof begin>): ArrivingBody => {
    const body = begin(...given)
    pass(limits.bodyGrace)
    return body
  }
  return { bodies, dropped, reasons, begin, pass, slow }
}

describe("slow bodies", () => {
  it("Slow bodies of one address are limited: the slowest is dropped, and other addresses are not affected", () => {
    const { bodies, dropped, slow } = bodiesWithin({ slowPerAddress: 2 })
    slow("other", "198.51.100.2")
    slow("first", "198.51.100.1")
    slow("second", "198.51.100.1")
    assert.deepStrictEqual(dropped, [])
    slow("third", "198.51.100.1")
    assert.deepStrictEqual(dropped, [
      "first: TEMPORARILY_UNAVAILABLE: Limit reached: 2 slow request bodies from one address; send the whole body at once."
    ])
    assert.strictEqual(bodies.count, 3)
  })

  it("Slow bodies of all addresses are limited: the slowest is dropped", () => {
    const { bodies, dropped, reasons, slow } = bodiesWithin({ slow: 2 })
    slow("first", "198.51.100.1")
    slow("second", "198.51.100.2")
    assert.deepStrictEqual(dropped, [])
    slow("third", "198.51.100.3")
    assert.deepStrictEqual(dropped, [
      "first: TEMPORARILY_UNAVAILABLE: Limit reached: 2 slow request bodies in this process; send the whole body at once."
    ])
    assert.deepStrictEqual([bodies.count, bodies.slowCount, reasons], [2, 2, ["PROCESS"]])
  })

  it("Slow bodies without a credential are dropped before those with one", () => {
    const { dropped, slow } = bodiesWithin({ slowPerAddress: 2 })
    slow("with a credential", "198.51.100.1", false)
    slow("without", "198.51.100.1")
    slow("another with a credential", "198.51.100.1", false)
    slow("yet another", "198.51.100.1", false)
    assert.deepStrictEqual(
      dropped.map((text) => text.split(":")[0]),
      ["without", "with a credential"]
    )
  })

  it("Bodies within the grace period do not count as slow", () => {
    const { bodies, dropped, begin, pass } = bodiesWithin({ slow: 1, slowPerAddress: 1 })
    for (let index = 0; index < 10; index++) begin(String(index), "198.51.100.1")
    pass(limits.bodyGrace - 1)
    assert.deepStrictEqual([bodies.count, bodies.slowCount, dropped.length], [10, 0, 0])
  })

  it("A body is late after 5 seconds without a credential, and after 25 with one", () => {
    const { bodies, dropped, reasons, begin, pass } = bodiesWithin({})
    begin("with", "198.51.100.1", false)
    begin("without", "198.51.100.1")
    pass(4_999)
    assert.deepStrictEqual([bodies.slowCount, dropped], [2, []])
    pass(1)
    assert.deepStrictEqual([bodies.slowCount, dropped], [1, [`without: ${late(5)}`]])
    pass(19_999)
    assert.strictEqual(dropped.length, 1)
    pass(1)
    assert.deepStrictEqual([bodies.count, dropped[1], reasons], [0, `with: ${late(25)}`, ["LATE", "LATE"]])
  })
})

describe("the bytes of arriving bodies", () => {
  it("The bytes of arriving bodies are limited in total: a slow body is dropped first, then the oldest", () => {
    const { bodies, dropped, reasons, begin, slow } = bodiesWithin({ bytes: 100 })
    const slowOne = slow("slow", "198.51.100.2")
    const oldest = begin("oldest", "198.51.100.1")
    const newest = begin("newest", "198.51.100.3")
    bodies.receive(oldest, 40)
    bodies.receive(slowOne, 30)
    bodies.receive(newest, 30)
    assert.deepStrictEqual([bodies.bytes, dropped], [100, []])
    bodies.receive(newest, 31)
    assert.strictEqual(bodies.bytes, 61)
    assert.deepStrictEqual(
      dropped,
      ["slow", "oldest"].map((name) => `${name}: TEMPORARILY_UNAVAILABLE: ${bytesReached}`)
    )
    assert.deepStrictEqual(reasons, ["BYTES", "BYTES"])
  })

  it("The bytes of a removed body are subtracted once", () => {
    const { bodies, begin, dropped, pass } = bodiesWithin({})
    const body = begin("one", "198.51.100.1")
    bodies.receive(body, 10)
    bodies.remove(body)
    bodies.remove(body)
    bodies.receive(body, 10)
    pass(limits.bodyArrival)
    assert.deepStrictEqual([bodies.count, bodies.bytes, bodies.slowCount, dropped.length], [0, 0, 0, 0])
  })
})

const late = (seconds: number) =>
  `TEMPORARILY_UNAVAILABLE: The request body took longer than ${seconds} seconds to arrive; send it at once.`

const bytesReached =
  "Limit reached: 100 bytes of request bodies still arriving in this process; retry the saved request."
