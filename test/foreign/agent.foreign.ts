/**
 * An agent in Python works in a simulated world, while this test acts as its people, advances time and injects faults.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { tokenPrefixes } from "../../src/vocabulary/token.ts"
import { node } from "../support/server.ts"
import { serveSimulator, SimulatedWorld } from "../support/simulator-process.ts"

const root = path.resolve(import.meta.dirname, "../..")
const agentProgram = path.join(root, "test/simulator/agent.py")
const opening = path.join(root, "docs/learning/simulate-an-agent.yaml")
const scenario = fs.readFileSync(opening, "utf8")

/** A line of its output. */
interface AgentOutput {
  readonly tells: string
  readonly [member: string]: unknown
}

const timeoutMs = 15_000

/** The agent as a process: its output lines are read in order, each awaited by its name. */
class Agent {
  readonly told: Array<AgentOutput> = []
  readonly ended: Promise<number>
  readonly #child
  #errors = ""
  #read = 0
  #woken = () => {}

  constructor(...options: ReadonlyArray<string>) {
    this.#child = spawn("python3", [agentProgram, ...options])
    let text = ""
    this.#child.stdout.on("data", (chunk: Buffer) => {
      const lines = (text + String(chunk)).split("\n")
      text = lines.pop() ?? ""
      this.told.push(...lines.map((line) => JSON.parse(line) as AgentOutput))
      this.#woken()
    })
    this.#child.stderr.on("data", (chunk: Buffer) => (this.#errors += String(chunk)))
    this.ended = once(this.#child, "close").then(([code]) => (this.#woken(), code as number))
  }

  /** The next line of that name; lines before it are skipped. */
  async tells(name: string): Promise<AgentOutput> {
    for (;;) {
      while (this.#read < this.told.length) {
        const told = this.told[this.#read++]!
        if (told.tells === name) return told
      }
      const more = new Promise<void>((resolve, reject) => {
        const impatience = setTimeout(
          () => reject(new Error(`timed out waiting for ${name}: ${this.#everything}`)),
          timeoutMs
        )
        this.#woken = () => (clearTimeout(impatience), resolve())
      })
      if (this.#child.exitCode !== null) throw new Error(`the agent exited before ${name}: ${this.#everything}`)
      await more
    }
  }

  get #everything(): string {
    return `${this.told.map((one) => JSON.stringify(one)).join("\n")}\n${this.#errors}`
  }

  kill(): void {
    this.#child.kill("SIGKILL")
  }
}

const startAgent = (...options: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => new Agent(...options)),
    (agent) => Effect.sync(() => agent.kill())
  )

/** Sam enters the code and approves the agent for the one agreement. */
const approve = async (world: SimulatedWorld, code: unknown) => {
  await world.do({ as: "sam", do: "signIn" })
  await world.do({ as: "sam", do: "enterUserCode", input: { userCode: code }, keep: { connection: "connectionId" } })
  await world.do({
    as: "sam",
    do: "approveConnection",
    on: "${connection}",
    input: { role: "SUPPLIER", actions: ["RESPOND_TERMS", "SUBMIT_MATERIALS"], projectIds: ["${project}"] }
  })
}

const stepBySam = (operation: string) => ({
  as: "sam",
  do: operation,
  on: "${project}",
  input: { reason: "A look first." }
})

/** Requests of the agent that pass before the next ones are lost. */
const loseRequests = (what: "request" | "answer", skip: number, times: number) => ({
  inject: { of: "courier", lost: what, ...(skip === 0 ? {} : { skip }), times }
})

/** Two sends are lost; the steps run before the agent sends the same bytes once more. */
const whileItWaits = async (agent: Agent, world: SimulatedWorld, ...steps: ReadonlyArray<object>) => {
  await agent.tells("NO_ANSWER")
  await agent.tells("NO_ANSWER")
  for (const step of steps) await world.do(step)
}

/** From the connection to a submission, with every interruption in between. */
const workUntilSubmitted = async (agent: Agent, world: SimulatedWorld) => {
  await world.put("receivers/hooks/program", { url: (await agent.tells("LISTENS"))["at"] })
  await approve(world, (await agent.tells("CODE"))["code"])
  await agent.tells("WAITS")
  await world.do(stepBySam("pauseProject"))
  await world.advance("5s")

  // Paused before its first decision: the agent reads the pause and waits for its person.
  await agent.tells("PAUSED")
  await world.do(stepBySam("resumeProject"))
  await world.do({ inject: { of: "courier", database: "57014", in: "projects" } })
  await world.advance("1m")

  // The database fails at its first decision: the agent waits for the retry-after time and sends the same request
  // again.
  await agent.tells("UNAVAILABLE")
  await world.do(loseRequests("request", 4, 2))
  await world.advance("1s")
  assert.deepInclude(await agent.tells("DID"), { what: "respond", state: "LOCKED", replayed: false })
  await agent.tells("SUBSCRIBED")

  await whileItWaits(agent, world, stepBySam("pauseProject"))
  await world.advance("4s")
  assert.deepInclude(await agent.tells("REFUSED"), { what: "submit", error: "AGENT_PAUSED" })
  await agent.tells("PAUSED")
  await world.do(stepBySam("resumeProject"))
  await world.do(loseRequests("request", 2, 2))
  await world.advance("1m")

  await whileItWaits(agent, world, stepBySam("pauseProject"), stepBySam("resumeProject"), loseRequests("request", 2, 2))
  await world.advance("4s")
  assert.deepInclude(await agent.tells("REFUSED"), { error: "AGENT_CHANGED_REFRESH_REQUIRED" })

  await whileItWaits(
    agent,
    world,
    { as: "sam", do: "readOwnProject", on: "${project}" },
    {
      as: "sam",
      do: "requestDateChange",
      on: "${project}",
      input: { purpose: "DELIVERY", reason: "The register is being restored." }
    },
    { as: "dana", do: "signIn" },
    { as: "dana", do: "readOwnProject", on: "${project}" },
    { as: "dana", do: "liftHold", on: "${project}", input: { reason: "It is back already." } },
    loseRequests("answer", 2, 1)
  )
  await world.advance("4s")
  assert.deepInclude(await agent.tells("REFUSED"), { error: "STALE_EVENT_HEAD" })

  // The request takes effect and its response is lost: the client times out and immediately sends the same bytes.
  assert.deepInclude(await agent.tells("NO_ANSWER"), { sends: 1 })
  assert.deepInclude(await agent.tells("DID"), { what: "submit", state: "SUBMITTED", replayed: true })
}

const review = (input: object) => ({ as: "scout", do: "review", on: "${project}", input })
const read = { as: "scout", do: "readProject", on: "${project}" }
const decisionsOf = (decision: string) => ["chart", "sources"].map((criterionId) => ({ criterionId, decision }))

/** The buyer's answers arrive as webhooks. */
const workUntilAccepted = async (agent: Agent, world: SimulatedWorld) => {
  await agent.tells("WAITS_FOR_NEWS")
  await world.do(read)
  await world.do(
    review({
      action: "REQUEST_CHANGES",
      reason: "Two depths have no page.",
      nextAction: "Name the page of every depth.",
      decisions: decisionsOf("NOT_MET")
    })
  )
  assert.deepInclude(await agent.tells("CALLBACK"), { type: "changes.requested", new: true })
  assert.deepInclude(await agent.tells("DID"), { what: "submit", state: "SUBMITTED", replayed: false })
  await agent.tells("WAITS_FOR_NEWS")
  await world.do(read)
  await world.do(review({ action: "ACCEPT", reason: "Every file was opened.", decisions: decisionsOf("MET") }))
  assert.deepInclude(await agent.tells("CALLBACK"), { type: "acceptance.decided", new: true })
  assert.deepInclude(await agent.tells("DONE"), { state: "BUYER_CONFIRMED" })
  assert.strictEqual(await agent.ended, 0)
}

/** An unsigned request to the receiver. */
const sendUnsigned = async (agent: Agent) => {
  const at = String(agent.told.find(({ tells }) => tells === "LISTENS")?.["at"])
  const seconds = (await fetch(at, { method: "POST", body: "{}" })).status
  const signed = await fetch(at, {
    method: "POST",
    headers: {
      "service-event-id": "event_1",
      "service-timestamp": "1772442000",
      "service-signature": `v1=${"0".repeat(64)}`
    },
    body: `{"type":"acceptance.decided","sequence":9}`
  })
  assert.deepStrictEqual([seconds, signed.status], [401, 401])
}

const runAgent = (origin: string, seed: number, check: "compute" | "ask") =>
  Effect.gen(function* () {
    const world = yield* Effect.promise(() => SimulatedWorld.begun(origin, { scenario, seed, play: true }))
    const callbacks = ["--target", "https://hooks.example.com/callbacks", "--port", "0", "--check", check]
    const where = ["--service", world.service, "--world", world.url]
    const agent = yield* startAgent(...where, "--name", "courier", "--timeout", "1", ...callbacks)
    yield* Effect.promise(async () => {
      await workUntilSubmitted(agent, world)
      await sendUnsigned(agent)
      await workUntilAccepted(agent, world)
    })
    return world
  })

/** The project's history at the end, with each event exactly once. */
const assertOnce = async (world: SimulatedWorld) => {
  const { answer } = await world.do(read)
  const lines = await world.lines()
  assert.deepStrictEqual(
    answer.body.project.events.map(({ kind }: { readonly kind: string }) => kind),
    ["CREATE", "RESPOND", "DATE_REVISION", "LIFT_HOLD", "SUBMIT", "REVIEW", "SUBMIT", "REVIEW"]
  )
  const ofCourier = lines.filter(({ actor }) => actor === "courier")
  const answers = ofCourier.filter(({ kind }) => kind === "response")
  assert.lengthOf(
    answers.filter(({ body }) => body?.replayed === true),
    1
  )
  for (const [error, times] of [
    ["AGENT_PAUSED", 1],
    ["AGENT_CHANGED_REFRESH_REQUIRED", 1],
    ["STALE_EVENT_HEAD", 1]
  ]) {
    assert.lengthOf(
      answers.filter(({ body }) => body?.error === error),
      Number(times),
      String(error)
    )
  }
  const replies = lines.filter(({ kind }) => kind === "reply").map(({ answer }) => answer)
  assert.deepStrictEqual(replies, [204, 204])
}

/** The recorded inputs, replayed as a scenario without the agent. */
const assertReplays = async (world: SimulatedWorld, folder: string) => {
  const [script, trace] = [path.join(folder, `${world.id}.yaml`), path.join(folder, `${world.id}.ndjson`)]
  const recorded = await world.text("scenario")
  const [holdsSecret] = Object.values(tokenPrefixes).filter((prefix) => recorded.includes(prefix))
  assert.isUndefined(holdsSecret)
  fs.writeFileSync(script, recorded)
  const run = ["simulator/main.ts", "run", script, "--quiet", "--trace", trace]
  const { status, stdout, stderr } = spawnSync(node, run, { cwd: root, encoding: "utf8" })
  assert.strictEqual(status, 0, stdout + stderr)
  assert.strictEqual(withoutEnd(fs.readFileSync(trace, "utf8")), withoutEnd(await world.text("trace")))
}

/** A run ends with a verdict, a session has none. */
const withoutEnd = (trace: string) => trace.replace(/^\{[^\n]*"kind":"verdict"[^\n]*\n/m, "")

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-agent-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

it.live(
  "two agents in two worlds deliver through pauses, lost answers and failures, each exactly once",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* serveSimulator(opening)
        const worlds = yield* Effect.all([runAgent(origin, 7, "compute"), runAgent(origin, 8, "ask")], {
          concurrency: 2
        })
        const folder = yield* temporaryFolder
        yield* Effect.promise(async () => {
          for (const world of worlds) {
            await assertOnce(world)
            await assertReplays(world, folder)
          }
          const ids = await Promise.all(
            worlds.map(async (world) =>
              (await world.lines()).flatMap((line) => JSON.stringify(line).match(/delivery_[0-9a-f-]{36}/g) ?? [])
            )
          )
          assert.deepStrictEqual(
            ids.map((found) => new Set(found).size),
            [1, 1]
          )
          assert.notStrictEqual(ids[0]![0], ids[1]![0])
        })
      })
    ),
  60_000
)

/** A later version of the service with a state that the agent does not know. */
const laterServiceVersion = Effect.acquireRelease(
  Effect.promise(async () => {
    const answers: { readonly [path: string]: object } = {
      "/api/agents/v1/connections": { userCode: "BCDF-GHJK", deviceCode: "d", verificationUrl: "/", interval: 0 },
      "/api/agents/v1/connections/poll": { state: "CONNECTED", credential: { token: "t" } },
      "/api/agents/v1/me": { projectIds: ["delivery_1"] },
      "/api/agents/v1/projects/delivery_1": { project: { state: "IN_MEDIATION" }, automation: { paused: false } }
    }
    const server = http.createServer((request, response) => {
      request.resume()
      response.setHeader("content-type", "application/json").end(JSON.stringify(answers[request.url ?? ""] ?? {}))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => (server.closeAllConnections(), server.close()))
)

it.live("An agent that reads an unknown state asks its person.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* laterServiceVersion
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const agent = yield* startAgent("--service", url, "--name", "courier")
      yield* Effect.promise(async () => {
        assert.include(String((await agent.tells("ASKS_PERSON"))["why"]), "IN_MEDIATION")
        assert.strictEqual(await agent.ended, 1)
      })
    })
  )
)
