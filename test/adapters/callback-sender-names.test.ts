/** What a name has to lead to before anything connects, asked of a real name server; and whose fault it is otherwise. */
import * as dgram from "node:dgram"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { resolveThrough } from "../../src/adapters/callback-sender/resolve.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { checkAnswers } from "../../src/webhooks/addresses.ts"
import { answers, host, outcomeOf, senderTo, startReceiver } from "../support/callback-receiver.ts"
import { startNameServer, type NameAnswer, type RecordType } from "../support/dns-server.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** A resolver that knows the root, as every one does, and has this to say about the target. */
const startResolver = (of: Partial<Record<RecordType, NameAnswer>>) =>
  startNameServer((name, type) => (name === "" ? rootServers : name === host ? (of[type] ?? []) : "NXDOMAIN"))

const rootServers: NameAnswer = [{ type: "NS", data: "a.root-servers.net" }]

const a = (...addresses: ReadonlyArray<string>): NameAnswer => addresses.map((data) => ({ type: "A", data }))
const aaaa = (...addresses: ReadonlyArray<string>): NameAnswer => addresses.map((data) => ({ type: "AAAA", data }))

/** How long a name is asked for here: enough for an answer of loopback, and little to wait for none. */
const within = 600

/** What becomes of a callback to the target under the production rule for addresses; it connects to loopback at most. */
const outcomeThrough = (server: string) =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver(answers(200))
    const sender = yield* senderTo(receiver, {
      resolve: resolveThrough([server], within),
      acceptAddresses: (found) => Result.map(checkAnswers(found, []), () => ["127.0.0.1"])
    })
    const outcome = yield* outcomeOf(sender)
    assert.strictEqual(receiver.arrivals.length, 0)
    return outcome
  })

describe("a name with an address is connected to", () => {
  const found: Readonly<Record<string, readonly [Partial<Record<RecordType, NameAnswer>>, ReadonlyArray<string>]>> = {
    "of IPv4 alone": [{ A: a("127.0.0.1") }, ["127.0.0.1"]],
    "of both families, IPv4 first": [
      { A: a("127.0.0.1"), AAAA: aaaa("2606:4700::1111") },
      ["127.0.0.1", "2606:4700::1111"]
    ],
    "of IPv6 alone": [{ AAAA: aaaa("2606:4700::1111") }, ["2606:4700::1111"]],
    "behind another name": [
      {
        A: [
          { type: "CNAME", data: "edge.example.net" },
          { name: "edge.example.net", type: "A", data: "127.0.0.1" }
        ]
      },
      ["127.0.0.1"]
    ]
  }
  for (const [what, [zone, addresses]] of Object.entries(found)) {
    live(
      what,
      Effect.gen(function* () {
        const { server, asked } = yield* startResolver(zone)
        assert.deepStrictEqual(yield* resolveThrough([server])(host), addresses)
        assert.deepStrictEqual([...asked].sort(), [`A ${host}`, `AAAA ${host}`])
      })
    )
  }

  live(
    "that was asked for anew: each callback asks, whatever the records say of their life",
    Effect.gen(function* () {
      const { server, asked } = yield* startResolver({ A: a("127.0.0.1") })
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver, { resolve: resolveThrough([server]) })
      for (const _ of [1, 2, 3]) assert.strictEqual(yield* outcomeOf(sender), "200")
      assert.strictEqual(asked.length, 6)
      assert.strictEqual(receiver.arrivals.length, 1)
    })
  )
})

describe("a name is rejected whole", () => {
  const many = Array.from({ length: 4_000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`)
  const rejected: Readonly<Record<string, Partial<Record<RecordType, NameAnswer>>>> = {
    "with a private address": { A: a("10.0.0.1") },
    "with a public address and a private one": { A: a("8.8.8.8", "10.0.0.1") },
    "with a private address and a public one": { A: a("10.0.0.1", "8.8.8.8") },
    "with a public address and a private one of the other family": { A: a("8.8.8.8"), AAAA: aaaa("fd00::1") },
    "with a private address and a public one of the other family": { A: a("10.0.0.1"), AAAA: aaaa("2606:4700::1") },
    "with the address of a cloud": { A: a("169.254.169.254") },
    "with an address of IPv4 in one of IPv6": { AAAA: aaaa("::ffff:808:808") },
    "behind a public name with a private address": {
      A: [
        { type: "CNAME", data: "edge.example.net" },
        { name: "edge.example.net", type: "A", data: "192.168.1.1" }
      ]
    },
    "with one address more than is believed": { A: a(...many.slice(0, limits.callbackAddresses + 1)) },
    "with as many addresses as a message holds": { A: a(...many) }
  }
  for (const [what, zone] of Object.entries(rejected)) {
    live(
      what,
      Effect.gen(function* () {
        const { server } = yield* startResolver(zone)
        assert.strictEqual(yield* outcomeThrough(server), "DNS_REJECTED")
      })
    )
  }

  live(
    "once it leads to another address, with a connection to the former one still open",
    Effect.gen(function* () {
      let address = "8.8.8.8"
      const { server } = yield* startNameServer((_, type) => (type === "A" ? a(address) : []))
      const receiver = yield* startReceiver(answers(200))
      const sender = yield* senderTo(receiver, {
        resolve: resolveThrough([server]),
        acceptAddresses: (found) => Result.map(checkAnswers(found, []), () => ["127.0.0.1"])
      })
      assert.strictEqual(yield* outcomeOf(sender), "200")
      address = "10.0.0.1"
      assert.strictEqual(yield* outcomeOf(sender), "DNS_REJECTED")
      assert.deepStrictEqual([receiver.requests.length, receiver.arrivals[0]?.socket.destroyed], [1, false])
    })
  )
})

describe.concurrent("a name that leads nowhere is the target's fault", () => {
  const some = a("8.8.8.8")
  const failing: Readonly<Record<string, Partial<Record<RecordType, NameAnswer>>>> = {
    "where it does not exist": { A: "NXDOMAIN", AAAA: "NXDOMAIN" },
    "where it has no address": {},
    "where its servers fail": { A: "SERVFAIL", AAAA: "SERVFAIL" },
    "where the resolver refuses to look": { A: "REFUSED", AAAA: "REFUSED" },
    "where its servers are silent": { A: "NOTHING", AAAA: "NOTHING" },
    "where it leads to a name without an address": { A: [{ type: "CNAME", data: "edge.example.net" }] },
    "where it leads in a circle": { A: [{ type: "CNAME", data: host }], AAAA: [{ type: "CNAME", data: host }] },
    "where the answer is garbage": { A: "GARBAGE", AAAA: "GARBAGE" },
    "where half of the answer failed": { A: some, AAAA: "SERVFAIL" },
    "where half of the answer never came": { A: some, AAAA: "NOTHING" },
    "where half of the answer never came, the other half": { A: "NOTHING", AAAA: aaaa("2606:4700::1") },
    "where half of the answer denies the name": { A: some, AAAA: "NXDOMAIN" }
  }
  for (const [what, zone] of Object.entries(failing)) {
    live(
      what,
      Effect.gen(function* () {
        const { server } = yield* startResolver(zone)
        assert.strictEqual(yield* outcomeThrough(server), "DNS_FAILURE")
      })
    )
  }
})

describe.concurrent("a resolver that cannot be reached is our own fault", () => {
  live(
    "where nobody listens",
    Effect.gen(function* () {
      const { server } = yield* Effect.scoped(startResolver({}))
      assert.match(yield* outcomeThrough(server), /^unreachable: ECONNREFUSED and ECONNREFUSED$/)
    })
  )

  live(
    "where it answers nothing at all",
    Effect.gen(function* () {
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => dgram.createSocket("udp4")),
        (socket) => Effect.sync(() => socket.close())
      )
      yield* Effect.promise(() => once(socket.bind(0, "127.0.0.1"), "listening"))
      assert.match(yield* outcomeThrough(`127.0.0.1:${socket.address().port}`), /^unreachable: ETIMEOUT and ETIMEOUT$/)
    })
  )

  live(
    "but not where another one answers in its place",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(startResolver({}))
      const { server } = yield* startResolver({ A: a("127.0.0.1") })
      assert.deepStrictEqual(yield* resolveThrough([gone.server, server])(host), ["127.0.0.1"])
    })
  )
})

describe("no other source has a say", () => {
  live(
    "neither the hosts file nor names that every machine knows",
    Effect.gen(function* () {
      const { server, asked } = yield* startResolver({})
      for (const name of ["localhost", "ip6-localhost"]) {
        const failed = yield* Effect.flip(resolveThrough([server])(name))
        assert.deepInclude(failed, { _tag: "CallbackFailed", fault: "DNS_FAILURE" })
        assert.include(asked, `A ${name}`)
      }
    })
  )
})
