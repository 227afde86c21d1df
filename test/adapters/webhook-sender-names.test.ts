/** Name resolution before a webhook connects, with a real name server; and whether the target or the resolver is at fault. */
import * as dgram from "node:dgram"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { resolveThrough } from "../../src/adapters/webhook-sender/resolve.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { checkAnswers } from "../../src/webhooks/addresses.ts"
import { respondWith, host, outcomeOf, senderTo, startReceiver } from "../support/webhook-receiver.ts"
import { startNameServer, type NameAnswer, type RecordType } from "../support/dns-server.ts"

const live = <A, E>(name: string, effect: Effect.Effect<A, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(effect), 20_000)

/** A resolver that knows the root servers, and has these records of the target. */
const startResolver = (of: Partial<Record<RecordType, NameAnswer>>) =>
  startNameServer((name, type) => (name === "" ? rootServers : name === host ? (of[type] ?? []) : "NXDOMAIN"))

const rootServers: NameAnswer = [{ type: "NS", data: "a.root-servers.net" }]

const a = (...addresses: ReadonlyArray<string>): NameAnswer => addresses.map((data) => ({ type: "A", data }))
const aaaa = (...addresses: ReadonlyArray<string>): NameAnswer => addresses.map((data) => ({ type: "AAAA", data }))

/** The deadline of a query in these tests: enough for an answer from loopback, and short without one. */
const within = 600

/** The outcome of a webhook to the target under the production rule for addresses; connects to loopback only. */
const outcomeThrough = (server: string) =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver(respondWith(200))
    const sender = yield* senderTo(receiver, {
      resolve: resolveThrough([server], within),
      acceptAddresses: (accepted) => Result.map(checkAnswers(accepted, []), () => ["127.0.0.1"])
    })
    const outcome = yield* outcomeOf(sender)
    assert.strictEqual(receiver.connections.length, 0)
    return outcome
  })

describe("accepted names", () => {
  const accepted: Readonly<Record<string, readonly [Partial<Record<RecordType, NameAnswer>>, ReadonlyArray<string>]>> =
    {
      "an IPv4 address only": [{ A: a("127.0.0.1") }, ["127.0.0.1"]],
      "addresses of both families, IPv4 first": [
        { A: a("127.0.0.1"), AAAA: aaaa("2606:4700::1111") },
        ["127.0.0.1", "2606:4700::1111"]
      ],
      "an IPv6 address only": [{ AAAA: aaaa("2606:4700::1111") }, ["2606:4700::1111"]],
      "a CNAME to a name with an address": [
        {
          A: [
            { type: "CNAME", data: "edge.example.net" },
            { name: "edge.example.net", type: "A", data: "127.0.0.1" }
          ]
        },
        ["127.0.0.1"]
      ]
    }
  for (const [what, [zone, addresses]] of Object.entries(accepted)) {
    live(
      `A name resolves with ${what}.`,
      Effect.gen(function* () {
        const { server, questions: queries } = yield* startResolver(zone)
        assert.deepStrictEqual(yield* resolveThrough([server])(host), addresses)
        assert.deepStrictEqual([...queries].sort(), [`A ${host}`, `AAAA ${host}`])
      })
    )
  }

  live(
    "Each webhook resolves its name again, whatever the TTL of the records is.",
    Effect.gen(function* () {
      const { server, questions: queries } = yield* startResolver({ A: a("127.0.0.1") })
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver, { resolve: resolveThrough([server]) })
      for (const _ of [1, 2, 3]) assert.strictEqual(yield* outcomeOf(sender), "200")
      assert.strictEqual(queries.length, 6)
      assert.strictEqual(receiver.connections.length, 1)
    })
  )
})

describe("rejected names", () => {
  const many = Array.from({ length: 4_000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`)
  const rejected: Readonly<Record<string, Partial<Record<RecordType, NameAnswer>>>> = {
    "with a private address": { A: a("10.0.0.1") },
    "with a public address and then a private one": { A: a("8.8.8.8", "10.0.0.1") },
    "with a private address and then a public one": { A: a("10.0.0.1", "8.8.8.8") },
    "with a public address and a private one of the other family": { A: a("8.8.8.8"), AAAA: aaaa("fd00::1") },
    "with a private address and a public one of the other family": { A: a("10.0.0.1"), AAAA: aaaa("2606:4700::1") },
    "with the address of a cloud's metadata service": { A: a("169.254.169.254") },
    "with an IPv4-mapped IPv6 address": { AAAA: aaaa("::ffff:808:808") },
    "with a CNAME to a name with a private address": {
      A: [
        { type: "CNAME", data: "edge.example.net" },
        { name: "edge.example.net", type: "A", data: "192.168.1.1" }
      ]
    },
    "with one address above the limit": { A: a(...many.slice(0, limits.webhookAddresses + 1)) },
    "with as many addresses as a message can contain": { A: a(...many) }
  }
  for (const [what, zone] of Object.entries(rejected)) {
    live(
      `A name ${what} is rejected.`,
      Effect.gen(function* () {
        const { server } = yield* startResolver(zone)
        assert.strictEqual(yield* outcomeThrough(server), "DNS_REJECTED")
      })
    )
  }

  live(
    "A name that now resolves to a private address is rejected, although a connection to the former address is open.",
    Effect.gen(function* () {
      let address = "8.8.8.8"
      const { server } = yield* startNameServer((_, type) => (type === "A" ? a(address) : []))
      const receiver = yield* startReceiver(respondWith(200))
      const sender = yield* senderTo(receiver, {
        resolve: resolveThrough([server]),
        acceptAddresses: (accepted) => Result.map(checkAnswers(accepted, []), () => ["127.0.0.1"])
      })
      assert.strictEqual(yield* outcomeOf(sender), "200")
      address = "10.0.0.1"
      assert.strictEqual(yield* outcomeOf(sender), "DNS_REJECTED")
      assert.deepStrictEqual([receiver.requests.length, receiver.connections[0]?.socket.destroyed], [1, false])
    })
  )
})

describe.concurrent("names without an address", () => {
  const some = a("8.8.8.8")
  const unresolvable: Readonly<Record<string, Partial<Record<RecordType, NameAnswer>>>> = {
    "that does not exist": { A: "NXDOMAIN", AAAA: "NXDOMAIN" },
    "without an address": {},
    "whose servers fail": { A: "SERVFAIL", AAAA: "SERVFAIL" },
    "that the resolver refuses to resolve": { A: "REFUSED", AAAA: "REFUSED" },
    "whose servers are silent": { A: "NOTHING", AAAA: "NOTHING" },
    "with a CNAME to a name without an address": { A: [{ type: "CNAME", data: "edge.example.net" }] },
    "with a CNAME to itself": { A: [{ type: "CNAME", data: host }], AAAA: [{ type: "CNAME", data: host }] },
    "with a malformed answer": { A: "GARBAGE", AAAA: "GARBAGE" },
    "with an IPv4 answer and a failed IPv6 query": { A: some, AAAA: "SERVFAIL" },
    "with an IPv4 answer and a silent IPv6 query": { A: some, AAAA: "NOTHING" },
    "with an IPv6 answer and a silent IPv4 query": { A: "NOTHING", AAAA: aaaa("2606:4700::1") },
    "with an IPv4 answer and an IPv6 query that denies the name": { A: some, AAAA: "NXDOMAIN" }
  }
  for (const [what, zone] of Object.entries(unresolvable)) {
    live(
      `A name ${what} fails as DNS_FAILURE of the target.`,
      Effect.gen(function* () {
        const { server } = yield* startResolver(zone)
        assert.strictEqual(yield* outcomeThrough(server), "DNS_FAILURE")
      })
    )
  }
})

describe.concurrent("an unreachable resolver", () => {
  live(
    "A resolver port without a listener is reported as unreachable, not as a failure of the target.",
    Effect.gen(function* () {
      const { server } = yield* Effect.scoped(startResolver({}))
      assert.match(yield* outcomeThrough(server), /^unreachable: ECONNREFUSED and ECONNREFUSED$/)
    })
  )

  live(
    "A silent resolver is reported as unreachable, not as a failure of the target.",
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
    "A name resolves while one of several resolvers answers.",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(startResolver({}))
      const { server } = yield* startResolver({ A: a("127.0.0.1") })
      assert.deepStrictEqual(yield* resolveThrough([gone.server, server])(host), ["127.0.0.1"])
    })
  )
})

describe("other sources of names", () => {
  live(
    "Neither the hosts file nor built-in names are used for resolution.",
    Effect.gen(function* () {
      const { server, questions: queries } = yield* startResolver({})
      for (const name of ["localhost", "ip6-localhost"]) {
        const failed = yield* Effect.flip(resolveThrough([server])(name))
        assert.deepInclude(failed, { _tag: "WebhookFailure", fault: "DNS_FAILURE" })
        assert.include(queries, `A ${name}`)
      }
    })
  )
})
