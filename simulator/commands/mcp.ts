/** `simulate mcp`: the operations of the API of agents as tools of the Model Context Protocol, over standard input and output. */
import { Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { documentFor } from "../../src/documents/document.ts"
import { clockTools, Person } from "../mcp/examination-tools.ts"
import { ServiceClient } from "../mcp/service-client.ts"
import { serviceTools } from "../mcp/service-tools.ts"
import { instructionsFor, readTask } from "../mcp/task.ts"
import { durationInMilliseconds, isDuration } from "../vocabulary/duration.ts"
import { endWith, UNUSABLE } from "./exit.ts"

const flags = {
  timeout: Flag.String("timeout").pipe(
    Flag.withDescription(
      "How long an answer of the service may take, in real time, before its outcome is unknown; default 2s"
    ),
    Flag.withMetavar("duration"),
    Flag.withDefault("2s")
  )
}

export const mcp = Command.make(
  "mcp",
  flags,
  Effect.fn(function* ({ timeout }) {
    if (!isDuration(timeout)) return yield* endWith(UNUSABLE, "--timeout is a duration such as 2s")
    const {
      COUNTERSIGN_URL: url,
      COUNTERSIGN_TOKEN: token,
      COUNTERSIGN_CLOCK: clock,
      COUNTERSIGN_PERSON: address,
      COUNTERSIGN_TASK: given
    } = process.env
    if (url === undefined) return yield* endWith(UNUSABLE, "COUNTERSIGN_URL is missing: the address of the service")
    const task = readTask(given)
    if (Result.isFailure(task)) return yield* endWith(UNUSABLE, task.failure)
    const server = yield* Effect.result(Effect.tryPromise({ try: () => import("../mcp/server.ts"), catch: String }))
    if (Result.isFailure(server)) {
      return yield* endWith(UNUSABLE, `simulate mcp needs the package @modelcontextprotocol/sdk: ${server.failure}`)
    }
    const { agent } = task.success
    const person = address === undefined ? undefined : new Person(address)
    const client = new ServiceClient({
      url,
      agent: typeof agent === "string" ? agent : undefined,
      token,
      person,
      timeout: durationInMilliseconds(timeout)
    })
    const tools = [
      ...serviceTools(documentFor("/api/agents/v1/openapi.json", url), client),
      ...(clock === undefined ? [] : clockTools(clock)),
      ...(person?.tools ?? [])
    ]
    const instructions = instructionsFor(task.success, {
      hasClock: clock !== undefined,
      hasPerson: person !== undefined
    })
    yield* Effect.promise(() => server.success.serveTools(tools, instructions))
  })
).pipe(
  Command.withDescription(
    "Serve the operations of the API of agents as tools of the Model Context Protocol, over standard input and output, for " +
      "an agent that `simulate exam` examines: it starts this command as its tool server. The tools `wait` and `tell` are " +
      "the clock and the person of the examination. Reads COUNTERSIGN_URL, COUNTERSIGN_TOKEN, COUNTERSIGN_CLOCK, " +
      "COUNTERSIGN_PERSON and COUNTERSIGN_TASK."
  ),
  Command.withShortDescription("Serve the API of agents as tools of the Model Context Protocol"),
  Command.withExamples([
    { command: "simulate mcp", description: "The tool server of an agent under examination" },
    { command: "simulate mcp --timeout 5s", description: "On a slow machine" }
  ])
)
