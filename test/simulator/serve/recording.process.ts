import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect, Result } from "effect"
import { assert, describe, it, vi } from "vitest"
import { DIVERGED } from "../../../simulator/commands/exit.ts"
import { claimFile } from "../../../simulator/commands/output-file.ts"
import { saveRecording } from "../../../simulator/commands/record.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { defaultWorldDefinition } from "../../../simulator/serve/default-world.ts"
import { differenceInReplay, recordingOf } from "../../../simulator/serve/recording.ts"
import { Session } from "../../../simulator/scenario/session.ts"
import type { ServedWorld } from "../../../simulator/serve/served-world.ts"
import {
  acceptTermsStep,
  createAgreementInWorld,
  bearer,
  startProgram,
  TestServer
} from "../../support/simulator-server.ts"

const api = "/api/agents/v1"
const agentRequest = (server: TestServer, path: string, token: string, body?: object) =>
  server.ask(body === undefined ? "GET" : "POST", `${api}${path}`, body, bearer(token))

/** The text of a recording whose replay results in the same trace. */
const recorded = (world: ServedWorld): string => {
  const { session } = world.live
  const recording = recordingOf(session)
  assert.isUndefined(differenceInReplay(session, recording))
  return recording.text
}

const withServer = async (seed: number, use: (server: TestServer) => Promise<void>): Promise<void> => {
  const server = await TestServer.start({ seed })
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const subscription = (project: string) => ({
  as: "courier",
  do: "createWebhook",
  input: {
    target: "${hooks.target}",
    projectIds: [project],
    eventTypes: ["agreement.confirmed", "delivery.submitted"],
    expiresAt: "2026-02-01T09:00:00.000Z"
  }
})

describe("recording of a session", () => {
  it("A recording infers operations from requests, and keeps values that later requests use", async () => {
    await withServer(1, async (server) => {
      const token = await server.connect("courier", "sam", { role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] })
      await agentRequest(server, "/me", token)
      await agentRequest(server, "/projects/delivery_00000000-0000-4000-8000-000000000000", token)
      await server.ask("POST", `${api}/jobs`, '{"a":1,"a":2}', bearer(token))
      await server.control("POST", "/clock/advance", { by: "3h" })
      const text = recorded(server.worlds.get("default")!)
      assert.include(text, "do: startConnection")
      assert.include(text, `userCode: "\${userCode}"`)
      assert.match(text, /do: approveConnection,? on: "?\$\{connectionId\}/)
      assert.include(text, "{ as: courier, do: pollConnection }")
      assert.include(text, "{ advance: 3h }")
      assert.include(text, "expect: { error: FORBIDDEN_AGENT_PROJECT_SCOPE }")
      assert.include(text, "send: { method: POST")
      assert.notInclude(text, token)
      assert.isTrue(Result.isSuccess(readScenario("recorded", text)))
    })
  })

  it.each([1, 2, 3])(
    "A recording replays the answers of external programs and their own requests: seed %i",
    async (seed) => {
      await withServer(seed, async (server) => {
        const { courier, project } = await createAgreementInWorld(server)
        let calls = 0
        const program = await startProgram(async () => {
          calls += 1
          const view = await agentRequest(server, `/projects/${project}`, courier)
          if (seed === 2) await agentRequest(server, "/me", courier)
          if (seed === 3 && calls === 1) {
            const { headEventHash, agreement } = view.body.project
            const files = [{ name: "chart.pdf", reference: "archive", size: 3, sha256: "a".repeat(64) }]
            await agentRequest(server, `/projects/${project}/submit`, courier, {
              expectedEventHash: headEventHash,
              automationRevision: view.body.automation.revision,
              input: {
                requestId: "22222222-2222-4222-8222-222222222222",
                agreementDigest: agreement.digest,
                previousSubmissionId: null,
                respondsToReviewId: null,
                summary: "The chart.",
                items: [{ criterionId: "chart", summary: "One sheet.", references: [], files }]
              }
            })
          }
          return calls === 1 ? 503 : 204
        })
        await server.control("PUT", "/receivers/hooks/program", { url: program.url })
        await server.step(subscription(project))
        await server.step({ ...acceptTermsStep, on: project })
        await server.control("POST", "/clock/advance", { by: "1h" })
        program.stop()
        assert.isAtLeast(calls, 2)
        const text = recorded(server.worlds.get("default")!)
        assert.include(text, "{ receiver: hooks, answers: 503 }")
        assert.include(text, "outside:")
        assert.include(text, seed === 3 ? "do: submit" : "do: readProject")
      })
    }
  )

  it("A recording replays a program that is unreachable, and one that never answers", async () => {
    for (const answers of ["RESET", "NOTHING"] as const) {
      await withServer(1, async (server) => {
        const { project } = await createAgreementInWorld(server)
        server.worlds.get("default")!.live.callProgram = (_, answer) => setImmediate(() => answer(answers))
        await server.step({ as: "operator", do: "attachProgram", input: { receiver: "hooks" } })
        await server.step(subscription(project))
        await server.step({ ...acceptTermsStep, on: project })
        await server.control("POST", "/clock/advance", { by: "2m" })
        assert.include(recorded(server.worlds.get("default")!), `answers: ${answers}`)
      })
    }
  })

  it("A recording replays a held request, with and without interleaved steps", async () => {
    for (const isPaused of [true, false]) {
      await withServer(1, async (server) => {
        const { project } = await createAgreementInWorld(server)
        await server.control("POST", "/hold", { of: "courier" })
        const responding = server.step({ ...acceptTermsStep, on: project })
        while ((await server.control("GET", "")).body.standing.length === 0);
        if (isPaused) await server.step({ as: "dana", do: "pauseProject", on: project, input: { reason: "Wait." } })
        await server.control("POST", "/release", { of: "courier" })
        const { body } = (await responding).body.answer
        assert.strictEqual(body.error, isPaused ? "AGENT_PAUSED" : undefined)
        const text = recorded(server.worlds.get("default")!)
        if (isPaused) assert.include(text, "meanwhile:")
        else assert.notInclude(text, "meanwhile:")
      })
    }
  })

  it("A recording replays lost requests and crashes, and omits faults that never occurred", async () => {
    await withServer(5, async (server) => {
      const { courier, project } = await createAgreementInWorld(server)
      await server.step({ inject: { of: "courier", lost: "request" } })
      await server.step({ as: "courier", do: "me" })
      await server.step({ inject: { of: "courier", crash: "after-commit" } })
      await server.step({ ...acceptTermsStep, on: project })
      await agentRequest(server, `/projects/${project}`, courier)
      await server.step({ inject: { of: "worker", crash: "before-commit" } })
      await server.step({ as: "courier", do: "me", inject: { database: "40001" } })
      const recording = recordingOf(server.worlds.get("default")!.live.session)
      assert.strictEqual(recording.omitted, 2)
      assert.isUndefined(differenceInReplay(server.worlds.get("default")!.live.session, recording))
    })
  })

  it("A recording omits pending steps, and notes their number", async () => {
    await withServer(1, async (server) => {
      const { project } = await createAgreementInWorld(server)
      const world = server.worlds.get("default")!
      const before = recorded(world)
      await server.control("POST", "/hold", { of: "courier" })
      const responding = server.step({ ...acceptTermsStep, on: project })
      while (world.live.frozenFor.length === 0) await new Promise((resolve) => setImmediate(resolve))
      await server.step({ as: "dana", do: "pauseProject", on: project, input: { reason: "Wait." } })
      world.close()
      assert.strictEqual((await responding).body.error, "WORLD_ENDED")
      const recording = recordingOf(world.live.session)
      assert.deepInclude(recording, { omitted: 0, unfinished: 2 })
      assert.strictEqual(recorded(world), `# Omitted: 2 steps that had not ended.\n${before}`)
    })
  })

  it("A replay that differs from the session is detected", async () => {
    await withServer(1, async (server) => {
      await createAgreementInWorld(server)
      const { session } = server.worlds.get("default")!.live
      const { text } = recordingOf(session)
      const other = differenceInReplay(session, { text: text.replace("One chart", "Two charts") })
      assert.include(other ?? "", "the traces differ from line")
    })
  })
})

describe("simulate record", () => {
  it("simulate record refuses an unwritable or existing output file at its start", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-record-"))
    try {
      const there = join(folder, "there.yaml")
      writeFileSync(there, "mine")
      assert.throws(() => claimFile(there, false), /--overwrite/)
      assert.throws(() => claimFile(join(folder, "nowhere", "out.yaml"), false), /ENOENT/)
      claimFile(there, true).release()
      assert.strictEqual(readFileSync(there, "utf8"), "mine")
      const fresh = join(folder, "fresh.yaml")
      claimFile(fresh, false).release()
      assert.isFalse(existsSync(fresh))
      const child = spawn(process.execPath, ["simulator/main.ts", "record", there, "--port", "0"], { stdio: "ignore" })
      assert.strictEqual(await new Promise((resolve) => child.once("exit", resolve)), 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("simulate record serves until it is stopped, and writes the scenario without pending steps", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-record-"))
    const out = join(folder, "session.yaml")
    const child = spawn(process.execPath, ["simulator/main.ts", "record", out, "--port", "0", "--seed", "4"], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)))
      for await (const line of createInterface(child.stdout)) {
        const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
        if (origin === undefined) continue
        const answer = await fetch(`${origin}${api}/capabilities`, { headers: { "simulator-actor": "iris" } })
        assert.strictEqual(answer.status, 200)
        const post = (path: string, body: object) =>
          fetch(`${origin}/sim/worlds/default${path}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body)
          })
        // A worker whose clock differs runs every pass, so that the advance is pending for minutes.
        await post("/steps", { as: "operator", do: "setClock", input: { process: "worker", offset: "+400ms" } })
        // A pending request is omitted, and does not delay the end.
        const moving = post("/clock/advance", { by: "3650d" })
        while ((await (await fetch(`${origin}/sim/worlds/default`)).json()).isAtRest);
        await fetch(`${origin}/sim/stop`, { method: "POST" })
        assert.strictEqual((await moving).status, 409)
      }
      assert.strictEqual(await ended, 0)
      assert.isTrue(existsSync(out))
      assert.include(readFileSync(out, "utf8"), "{ as: iris, do: capabilities }")
    } finally {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true })
    }
  })

  it("simulate record exits with 3 if the replay differs, and writes the scenario to a file beside the output", async () => {
    const folder = mkdtempSync(join(tmpdir(), "record-"))
    const out = join(folder, "session.yaml")
    const session = new Session(defaultWorldDefinition)
    const errorOutput = vi.spyOn(console, "error").mockImplementation(() => {})
    try {
      session.do({ as: "dana", do: "signIn" })
      // An observation that results from no step.
      session.setup.recorder.observe({ kind: "time", to: session.now })
      await Effect.runPromise(saveRecording(session, claimFile(out, false), out))
      assert.strictEqual(process.exitCode, DIVERGED)
      assert.isFalse(existsSync(out))
      assert.include(readFileSync(`${out}.rejected.yaml`, "utf8"), "{ as: dana, do: signIn }")
      assert.include(String(errorOutput.mock.calls[0]?.[0]), "the traces differ from line")
    } finally {
      process.exitCode = undefined
      errorOutput.mockRestore()
      rmSync(folder, { recursive: true })
    }
  })
})
