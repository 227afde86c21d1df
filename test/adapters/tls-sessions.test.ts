/** Which TLS sessions of receivers are kept, and which one is offered. */
import { assert, describe, it } from "vitest"
import { makeTlsSessions, type TlsSession } from "../../src/adapters/webhook-sender/tls-sessions.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const session = (name: string, verifiedUntil = 1, bytes = 100): TlsSession => ({
  state: Buffer.from(name.padEnd(bytes)),
  verifiedUntil
})

const nameOf = (taken: TlsSession | undefined) => taken?.state.toString().trim()

const sessionsAtZero = () => makeTlsSessions(() => 0)

describe("TLS sessions of a host", () => {
  it("The newest session is offered first, each once, and the last one until another is kept.", () => {
    const sessions = sessionsAtZero()
    for (const name of ["first", "second", "third"]) sessions.keep("a", session(name))
    const taken = Array.from({ length: 4 }, () => nameOf(sessions.take("a")))
    assert.deepStrictEqual(taken, ["third", "second", "first", "first"])
  })

  it("A session is offered to its own host only.", () => {
    const sessions = sessionsAtZero()
    sessions.keep("a", session("of a"))
    assert.deepStrictEqual([nameOf(sessions.take("b")), nameOf(sessions.take("a"))], [undefined, "of a"])
  })

  it("A session is not offered at or after the end of its certificate's verification, also where an older one lasts longer.", () => {
    let time = 0
    const sessions = makeTlsSessions(() => time)
    sessions.keep("a", session("longer", 2))
    sessions.keep("a", session("newest", 1))
    time = 1
    assert.strictEqual(nameOf(sessions.take("a")), "longer")
    time = 2
    assert.isUndefined(sessions.take("a"))
  })

  it("A dropped host has no session.", () => {
    const sessions = sessionsAtZero()
    for (const name of ["first", "second"]) sessions.keep("a", session(name))
    sessions.drop("a")
    assert.isUndefined(sessions.take("a"))
  })
})

describe("the bounds of TLS sessions", () => {
  it("Above the limit of one host, its oldest session is dropped.", () => {
    const sessions = sessionsAtZero()
    for (let each = 0; each <= limits.webhookTlsSessionsPerHost; each++) sessions.keep("a", session(String(each)))
    const taken = Array.from({ length: limits.webhookTlsSessionsPerHost + 1 }, () => nameOf(sessions.take("a")))
    assert.deepStrictEqual(taken, ["5", "4", "3", "2", "1", "1"])
  })

  it("A session above the limit of its size is not kept.", () => {
    const sessions = sessionsAtZero()
    sessions.keep("a", session("fits", 1, limits.webhookTlsSessionBytes))
    sessions.keep("a", session("too large", 1, limits.webhookTlsSessionBytes + 1))
    assert.strictEqual(nameOf(sessions.take("a")), "fits")
  })

  it("Above the limit of bytes in all, the host used least recently loses its sessions.", () => {
    const sessions = sessionsAtZero()
    const hosts = Array.from(
      { length: limits.webhookTlsSessionsBytes / limits.webhookTlsSessionBytes + 1 },
      (_, each) => `host-${each}`
    )
    for (const host of hosts) {
      sessions.keep(host, session(host, 1, limits.webhookTlsSessionBytes))
      sessions.take("host-0")
    }
    const without = hosts.filter((host) => sessions.take(host) === undefined)
    assert.deepStrictEqual(without, ["host-1"])
  })
})
