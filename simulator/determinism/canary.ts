/**
 * Canaries: one deliberate leak of each kind, executed by an actor of a simulated world, to prove that the guard reports
 * it.
 */
import childProcess from "node:child_process"
import { randomBytes, randomInt, randomUUID } from "node:crypto"
import dns from "node:dns"
import http from "node:http"
import net from "node:net"
import { performance } from "node:perf_hooks"
import { env, hrtime } from "node:process"
import { Effect } from "effect"
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import type { WorldDefinition } from "../scenario/format/scenario.ts"
import { setupInMemory } from "../scenario/simulation-setup.ts"
import { describeLeak, guardLeaks } from "../kernel/leaks/leak-guard.ts"
import type { LeakKind } from "../kernel/leaks/leak-source.ts"

export interface Canary {
  readonly kind: LeakKind
  readonly call: string
  readonly leak: () => unknown
}

/** The report of the guard, with this file and the line; undefined if the leak was not reported. */
export const runCanary = ({ kind, call, leak }: Canary): string | undefined => {
  const setup = setupInMemory(world)
  const program = Effect.flatMap(setup.open, (context) => context.world.act("canary", Effect.sync(leak)))
  const { leaks } = guardLeaks(() => setup.scheduler.run(setup.logged(Effect.scoped(program))))
  const caught = leaks.find((found) => found.kind === kind && found.call === call && here.test(found.at))
  return caught === undefined ? undefined : describeLeak(caught)
}

const world: WorldDefinition = {
  title: "A world with a canary",
  say: undefined,
  seed: 1,
  start: fromMilliseconds(Date.UTC(2026, 0, 5)),
  given: {},
  properties: []
}

const here = /^simulator\/determinism\/canary\.ts:\d+:\d+$/

const abandon = (connection: net.Socket | http.ClientRequest) => {
  connection.on("error", () => {})
  connection.destroy()
}

export const canaries: ReadonlyArray<Canary> = [
  { kind: "real time", call: "Date.now()", leak: () => Date.now() },
  { kind: "real time", call: "new Date()", leak: () => new Date() },
  { kind: "real time", call: "Date()", leak: () => Date() },
  { kind: "real time", call: "performance.now()", leak: () => performance.now() },
  { kind: "real time", call: "performance.timeOrigin", leak: () => performance.timeOrigin },
  { kind: "real time", call: "process.hrtime()", leak: () => hrtime() },
  { kind: "real time", call: "process.hrtime.bigint()", leak: () => process.hrtime.bigint() },
  { kind: "real time", call: "process.uptime()", leak: () => process.uptime() },
  { kind: "real randomness", call: "Math.random()", leak: () => Math.random() },
  { kind: "real randomness", call: "crypto.randomUUID()", leak: () => globalThis.crypto.randomUUID() },
  { kind: "real randomness", call: "crypto.randomUUID()", leak: () => randomUUID() },
  { kind: "real randomness", call: "crypto.getRandomValues()", leak: () => crypto.getRandomValues(new Uint8Array(8)) },
  { kind: "real randomness", call: "crypto.randomBytes()", leak: () => randomBytes(8) },
  { kind: "real randomness", call: "crypto.randomInt()", leak: () => randomInt(8) },
  { kind: "real timer", call: "setTimeout()", leak: () => clearTimeout(setTimeout(() => {}, 0)) },
  { kind: "real timer", call: "setInterval()", leak: () => clearInterval(setInterval(() => {}, 1)) },
  { kind: "real timer", call: "setImmediate()", leak: () => clearImmediate(setImmediate(() => {})) },
  { kind: "real timer", call: "AbortSignal.timeout()", leak: () => AbortSignal.timeout(1) },
  { kind: "network", call: "fetch()", leak: () => void fetch("data:,").catch(() => undefined) },
  { kind: "network", call: "net.connect()", leak: () => abandon(net.connect(9, "127.0.0.1")) },
  { kind: "network", call: "http.request()", leak: () => abandon(http.request("http://[::1]:9")) },
  { kind: "network", call: "dns.lookup()", leak: () => dns.lookup("localhost", () => {}) },
  { kind: "child process", call: "child_process.spawnSync()", leak: () => childProcess.spawnSync("true") },
  { kind: "environment", call: "process.env.HOME", leak: () => env["HOME"] },
  { kind: "time zone", call: "Date.prototype.getHours()", leak: () => new Date(0).getHours() },
  { kind: "time zone", call: "Date.prototype.getTimezoneOffset()", leak: () => new Date(0).getTimezoneOffset() },
  { kind: "time zone", call: "new Date()", leak: () => new Date(2026, 2, 2) },
  { kind: "time zone", call: "Date.parse()", leak: () => Date.parse("2026-03-02T09:00:00") },
  { kind: "time zone", call: "new Intl.DateTimeFormat()", leak: () => new Intl.DateTimeFormat("en") },
  { kind: "time zone", call: "Date.prototype.toLocaleDateString()", leak: () => new Date(0).toLocaleDateString("en") },
  { kind: "locale", call: "new Intl.NumberFormat()", leak: () => new Intl.NumberFormat() },
  { kind: "locale", call: "Number.prototype.toLocaleString()", leak: () => (1e6).toLocaleString() },
  { kind: "locale", call: "String.prototype.localeCompare()", leak: () => "i".localeCompare("ı") },
  { kind: "locale", call: "String.prototype.toLocaleUpperCase()", leak: () => "i".toLocaleUpperCase() }
]
