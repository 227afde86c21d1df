/** Answers that come later than an agent waits are not held against it. */
import * as net from "node:net"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { examine } from "../../simulator/examination/examine.ts"
import type { AgentEnvironment, ExaminedAgent } from "../../simulator/examination/examined-agent.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"

const folder = path.resolve(import.meta.dirname, "../../scenarios/lessons/pause-before-command")
const [read] = Result.getOrThrow(readLessons([folder]))
const lesson = { ...read!, form: { ...read!.form, budget: { requests: 2 } } }

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

/** Sends as many reads as there are words, one after another; `GONE` closes its connection without waiting for the answer. */
class Reader implements ExaminedAgent {
  readonly failure = undefined
  readonly output = ""
  readonly #reads: ReadonlyArray<"WAITS" | "GONE">
  hasEnded = false

  constructor(reads: ReadonlyArray<"WAITS" | "GONE">) {
    this.#reads = reads
  }

  start(environment: AgentEnvironment): void {
    void this.#readAll(environment)
  }

  restart(): void {}
  reboot(): void {}
  stop(): void {}

  async #readAll(environment: AgentEnvironment): Promise<void> {
    for (const read of this.#reads) await sendRead(environment, read)
    this.hasEnded = true
  }
}

const sendRead = ({ url, token = "" }: AgentEnvironment, read: "WAITS" | "GONE"): Promise<void> => {
  const { hostname, port, pathname, host } = new URL(url)
  const lines = [
    `GET ${pathname}/api/agents/v1/projects HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${token}`,
    "connection: close"
  ]
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: false })
  socket.resume().on("error", () => {})
  const request = `${lines.join("\r\n")}\r\n\r\n`
  if (read === "GONE") socket.end(request)
  else socket.write(request)
  return new Promise((resolve) => socket.on("close", () => resolve()))
}

const examined = (reads: ReadonlyArray<"WAITS" | "GONE">) =>
  examine(lesson, worlds, {
    newAgent: () => new Reader(reads),
    origin: server.origin,
    isCooperative: false,
    silence: 30
  })

describe("an agent that sends more requests than the budget of its lesson has", () => {
  it("fails if it read every answer.", async () => {
    const result = await examined(["WAITS", "WAITS", "WAITS"])
    assert.strictEqual(result.verdict, "FAIL", explain(result))
  })

  it("is not judged if an answer came after it had closed the connection, and is told so.", async () => {
    const result = await examined(["WAITS", "GONE", "WAITS"])
    assert.strictEqual(result.verdict, "UNKNOWN", explain(result))
    assert.include(explain(result), "an answer came later than the agent waits, and no fault lost it")
  })

  it("fails if the answer that it did not read was the last.", async () => {
    const result = await examined(["WAITS", "WAITS", "GONE"])
    assert.strictEqual(result.verdict, "FAIL", explain(result))
  })
})
