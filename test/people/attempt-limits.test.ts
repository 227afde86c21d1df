import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deleteExpiredAttempts } from "../../src/people/attempt-limits.ts"
import { checkPassword } from "../../src/people/passwords.ts"
import { AttemptCounters } from "../../src/people/store.ts"
import type { Directory } from "../../src/ports/sign-in.ts"
import { Storage } from "../../src/ports/storage.ts"
import { addressIn, networkOf } from "../../src/vocabulary/address.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { refuse } from "../../src/vocabulary/refusals.ts"
import { freshTestService } from "../support/service.ts"
import { at } from "../support/time.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant

const directory: Directory = {
  kind: "DIRECTORY",
  check: (name, password) =>
    password === "right"
      ? Effect.succeed({
          issuer: "https://directory.localhost",
          subject: name,
          name,
          email: null,
          authenticatedAt: noon
        })
      : refuse("SIGN_IN_FAILED")
}

const tried = (name: string, password: string, address: string, moment = noon) =>
  Effect.match(checkPassword(directory, { name, password, address }).pipe(at(moment)), {
    onFailure: ({ code }) => code as string,
    onSuccess: () => "DONE"
  })

layer(freshTestService, { excludeTestServices: true })("password rate limits", (it) => {
  it.effect("Five wrong passwords for a name refuse one address, not the owner's", () =>
    Effect.gen(function* () {
      for (let attempt = 0; attempt < limits.attemptsPerPerson; attempt++) {
        assert.strictEqual(yield* tried("owner", "wrong", "203.0.113.1"), "SIGN_IN_FAILED")
      }
      assert.strictEqual(yield* tried("owner", "right", "203.0.113.1"), "TOO_MANY_ATTEMPTS")
      assert.strictEqual(yield* tried("owner", "right", "198.51.100.1"), "DONE")
      const later = addMilliseconds(noon, limits.attemptsWindow)
      assert.strictEqual(yield* tried("owner", "right", "203.0.113.1", later), "DONE")
    })
  )

  it.effect("The rate limit per IP address counts all user names, and an IPv6 host by its /64", () =>
    Effect.gen(function* () {
      for (let attempt = 0; attempt < limits.attemptsPerAddress; attempt++) {
        yield* tried(`name-${attempt}`, "wrong", `2001:db8:1:2::${attempt.toString(16)}`)
      }
      assert.strictEqual(yield* tried("another", "right", "2001:db8:1:2:ffff::1"), "TOO_MANY_ATTEMPTS")
      assert.strictEqual(yield* tried("another", "right", "2001:db8:1:3::1"), "DONE")
    })
  )

  it.effect("Correct passwords do not count against the rate limit", () =>
    Effect.gen(function* () {
      for (let attempt = 0; attempt < 3 * limits.attemptsPerPerson; attempt++) {
        assert.strictEqual(yield* tried("diligent", "right", "192.0.2.1"), "DONE")
      }
    })
  )

  it.effect("Attempt counters are deleted once their window has passed", () =>
    Effect.gen(function* () {
      const past = addMilliseconds(noon, 3 * limits.attemptsWindow)
      yield* tried("recent", "wrong", "192.0.2.2", past)
      yield* deleteExpiredAttempts().pipe(at(past))
      const storage = yield* Storage
      const left = yield* storage.view((reader) =>
        reader.range(AttemptCounters, "byWindow", { prefix: [], limit: 100 })
      )
      assert.isAbove(left.length, 0)
      for (const { windowStartedAt } of left) assert.strictEqual(windowStartedAt, past)
    })
  )
})

describe("addresses in a forwarding header", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:5555", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["unknown", undefined],
    ["_hidden", undefined],
    ["", undefined]
  ])("The hop %j has the address %j", (hop, address) => assert.strictEqual(addressIn(hop), address))
})

describe("networks of client addresses", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["", ""]
  ])("Address %j is rate limited as network %j", (address, network) => assert.strictEqual(networkOf(address), network))
})
