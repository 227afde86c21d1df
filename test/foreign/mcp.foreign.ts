/** `simulate mcp`, driven over standard input and output by the client of the official SDK. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as path from "node:path"
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { readLesson } from "../../simulator/examination/lesson.ts"
import { operationsOf } from "../../simulator/mcp/operation.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"
import { documentFor } from "../../src/documents/document.ts"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const program = path.join(root, "simulator/main.ts")

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

const verdictOf = async (name: string, ...options: ReadonlyArray<string>) => {
  const lesson = Result.getOrThrow(readLesson(path.join(root, "scenarios/lessons", name)))
  const command = [node, path.join(root, "test/simulator/mcp-agent.ts"), ...options].join(" ")
  return examine(lesson, worlds, {
    newAgent: () => new AgentProcess(command),
    origin: server.origin,
    isCooperative: true,
    silence: 30
  })
}

describe("an agent that knows the service as tools", () => {
  it.each(["first-delivery", "answer-lost"])("The agent that keeps the rules passes %s.", async (name) => {
    const result = await verdictOf(name)
    assert.strictEqual(result.verdict, "PASS", explain(result))
  })

  it("An agent that calls again with other arguments fails answer-lost.", async () => {
    const result = await verdictOf("answer-lost", "--changes-arguments")
    assert.strictEqual(result.verdict, "FAIL", explain(result))
    assert.include(explain(result), "another submission while the first is without an answer")
  })
})

describe("simulate mcp", () => {
  it("The client of the SDK lists every operation and the clock, and gets the task.", async () => {
    const client = new Client({ name: "test", version: "1" })
    const transport = new StdioClientTransport({
      command: node,
      args: [program, "mcp"],
      env: {
        COUNTERSIGN_URL: server.origin,
        COUNTERSIGN_CLOCK: `${server.origin}/sim/worlds/default/agents/courier`,
        COUNTERSIGN_PERSON: `${server.origin}/sim/worlds/default/agents/courier`,
        COUNTERSIGN_TASK: '{"agent":"courier"}'
      }
    })
    await client.connect(transport)
    try {
      const { tools } = await client.listTools()
      const operations = operationsOf(documentFor("/api/agents/v1/openapi.json", server.origin))
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        [...operations.map(({ name }) => name), "wait", "tell"]
      )
      assert.include(client.getInstructions(), 'Your task: {"agent":"courier"}')
    } finally {
      await client.close()
    }
  })

  it("Standard output has protocol messages only, also for a lost answer, an unknown tool and an unreadable line.", async () => {
    const child = spawn(node, [program, "mcp"], { env: { COUNTERSIGN_URL: "http://127.0.0.1:1" } })
    const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    const clientInfo = { name: "test", version: "1" }
    write({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } })
    write({ method: "notifications/initialized" })
    write({ id: 2, method: "tools/call", params: { name: "me", arguments: {} } })
    child.stdin.write("no message\n")
    write({ id: 3, method: "tools/call", params: { name: "other", arguments: {} } })
    const messages: Array<JSONRPCMessage> = []
    for await (const line of createInterface({ input: child.stdout })) {
      messages.push(JSONRPCMessageSchema.parse(JSON.parse(line)))
      if (messages.length === 3) child.stdin.end()
    }
    assert.strictEqual(child.exitCode ?? (await once(child, "exit"))[0], 0)
    assert.sameMembers(
      messages.map((message) => ("id" in message ? message.id : undefined)),
      [1, 2, 3]
    )
    const text = JSON.stringify(messages)
    for (const part of ["UNKNOWN", "unknown tool other"]) assert.include(text, part)
  })

  it.each<[NodeJS.ProcessEnv, ReadonlyArray<string>, string]>([
    [{}, [], "COUNTERSIGN_URL"],
    [{ COUNTERSIGN_URL: "http://127.0.0.1:1", COUNTERSIGN_TASK: "[]" }, [], "COUNTERSIGN_TASK"],
    [{ COUNTERSIGN_URL: "http://127.0.0.1:1" }, ["--timeout", "soon"], "--timeout"]
  ])("With the environment %j and the options %j it exits with 2, and names %s.", (env, options, problem) => {
    const { status, stdout, stderr } = spawnSync(node, [program, "mcp", ...options], { env, encoding: "utf8" })
    assert.strictEqual(status, 2)
    assert.strictEqual(stdout, "")
    assert.include(stderr, problem)
  })
})
