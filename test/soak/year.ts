/**
 * A year of a world whose worker polls every 15 seconds, advanced month by month over the control API of a server in a
 * process of its own: its duration, and that no millisecond of virtual time is lost.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Console, Effect } from "effect"

const months = 12
const month = (365 * 86_400_000) / months
const pollEvery = 15_000
/** The passes of a worker at each poll: fan-out, sends, and issuance. */
const passesEach = 3

export const year = Effect.gen(function* () {
  const wrong: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startServer()),
    ({ stop }) => Effect.promise(stop)
  )
  const start = Date.parse((yield* callControlApi(server.world, "GET")).now)
  let fired = 0
  const began = performance.now()
  for (let index = 1; index <= months; index++) {
    const moved = yield* callControlApi(`${server.world}/clock/advance`, "POST", { by: `${month}ms` })
    fired += moved.fired
    const drift = Date.parse(moved.now) - (start + index * month)
    if (drift !== 0) wrong.push(`after ${index} months it is ${moved.now}: ${drift} ms off`)
    yield* Console.log(`month ${index}: ${moved.fired} timers, now ${moved.now}, ${memoryOf(server.pid)} MB`)
  }
  const seconds = (performance.now() - began) / 1000
  // Each advance is a timer too.
  const passes = fired - months
  yield* Console.log(
    `a year in ${seconds.toFixed(1)} s: ${passes} passes, ${Math.round(passes / seconds)} a second, ` +
      `${Math.round((months * month) / 1000 / seconds)} times as fast as real time`
  )
  const expected = (passesEach * months * month) / pollEvery
  if (passes !== expected) wrong.push(`${passes} passes, expected ${expected}`)
  return wrong
})

const startServer = async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-year-"))
  const scenario = join(folder, "year.yaml")
  writeFileSync(scenario, script)
  const parameters = ["simulator/main.ts", "serve", scenario, "--port", "0"]
  const child = spawn(process.execPath, [...profileOptions(), ...parameters], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  for await (const line of createInterface(child.stdout)) {
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (origin === undefined) continue
    const stop = async () => {
      child.kill("SIGTERM")
      await ended
      rmSync(folder, { recursive: true })
    }
    return { world: `${origin}/sim/worlds/default`, pid: child.pid ?? 0, stop }
  }
  throw new Error("the server exited before it was ready")
}

/** `YEAR_PROFILE=folder` writes a CPU profile of the server to this folder. */
const profileOptions = (): ReadonlyArray<string> => {
  const folder = process.env["YEAR_PROFILE"]
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`]
}

const script = `scenario: A year
start: 2026-01-01T00:00:00.000Z
given:
  receivers: { hooks: { host: hooks.example.com } }
  worker: [CALLBACKS, RECORDS]
steps:
  - say: Nothing happens.
`

const callControlApi = (url: string, method: string, body?: object) =>
  Effect.promise(async (): Promise<{ readonly now: string; readonly fired: number }> => {
    const answer = await fetch(url, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
    return JSON.parse(text)
  })

const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024)
