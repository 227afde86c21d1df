/**
 * A backup that is older than what both parties have seen: the package of an issued record shows what was lost, nothing is
 * signed twice, and the verifier explains the gap.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { parseSigned } from "../../src/canonical/jws.ts"
import { chainHash } from "../../src/canonical/chain.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import {
  embeddedInstallation,
  killPostgres,
  operator,
  temporaryDirectory,
  type Environment
} from "../support/installation.ts"
import {
  buyerActions,
  makeAgent,
  readProject,
  respondTo,
  reviewOf,
  sendCommand,
  startProject,
  submissionFor,
  supplierActions,
  uuid,
  type StartedProject
} from "../support/parties.ts"
import { runCommand } from "../support/run-command.ts"
import { overSockets, startServer } from "../support/server.ts"
import { send } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const run = (environment: Environment, ...command: ReadonlyArray<string>) =>
  Effect.map(runCommand(environment, ...command), ({ code, output, stdout }) => {
    assert.strictEqual(code, 0, output)
    return JSON.parse(stdout)
  })

type Agents = Pick<StartedProject, "buyerAgent" | "supplierAgent" | "projectId">

const submit = Effect.fnUntraced(function* ({ supplierAgent: { token }, projectId }: Agents) {
  return yield* sendCommand(token, projectId, "submit", submissionFor(yield* readProject(token, projectId)))
})

/** Submits, accepts and issues; returns the exported file of the buyer's agent. */
const issueAndExport = Effect.fnUntraced(function* (agents: Agents) {
  const { buyerAgent, projectId } = agents
  createdBody(yield* submit(agents))
  const submitted = yield* readProject(buyerAgent.token, projectId)
  const accepted = createdBody(yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(submitted, "ACCEPT")))
  assert.strictEqual(accepted.project.recordIssuance.status, "ISSUED")
  const { agreement, headEventHash } = (yield* readProject(buyerAgent.token, projectId)).project
  const body = { expectedAgreementDigest: agreement.digest, expectedEventHash: headEventHash, nonce: uuid() }
  const address = `/api/agents/v1/projects/${projectId}/exports/result-package`
  return createdBody(yield* send("POST", address, { token: buyerAgent.token, body }))
})

/** The events of an exported file, by number. */
const eventsIn = (file: any): ReadonlyMap<number, any> =>
  new Map(parseSigned<any>(file.record).events.map((jws: string) => [parseSigned<any>(jws).sequence, parseSigned(jws)]))

const serving = <A, E, R>(environment: Environment, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const server = yield* startServer(environment)
    const used = yield* use.pipe(Effect.provide(Layer.merge(overSockets(server.origin), operator(environment))))
    server.child.kill("SIGTERM")
    assert.strictEqual(yield* Effect.promise(() => server.ended), 0)
    return used
  })

it.live(
  "After the restore of an older backup a package shows what was lost, and no number is signed twice.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const folder = yield* temporaryDirectory
        const backup = path.join(folder, "backup")
        const { started, lost } = yield* serving(
          environment,
          Effect.gen(function* () {
            const started = yield* startProject()
            const { token } = started.supplierAgent
            const first = yield* readProject(token, started.projectId)
            createdBody(yield* sendCommand(token, started.projectId, "respond", respondTo(first, started)))
            yield* run(environment, "backup", backup)
            return { started, lost: yield* issueAndExport(started) }
          })
        )
        const exported = path.join(folder, "result.json")
        fs.writeFileSync(exported, JSON.stringify(lost))

        const data = path.join(folder, "data")
        yield* Effect.addFinalizer(() => Effect.sync(() => killPostgres(data)))
        const restored = { ...environment, DATA_DIR: data }
        yield* run(restored, "restore", backup)
        fs.cpSync(path.join(environment.DATA_DIR, "keys"), path.join(data, "keys"), { recursive: true })
        yield* run(restored, "admin", "after-restore")
        const { heads } = yield* run(restored, "admin", "known-heads", exported)
        const { projectId } = started
        const newest = [...eventsIn(lost).values()].at(-1)
        assert.deepInclude(heads[0], {
          projectId,
          sequence: 5,
          eventHash: chainHash(newest),
          source: "SIGNED",
          outcome: "LOST"
        })

        yield* serving(
          restored,
          Effect.gen(function* () {
            const { buyer, supplier } = started
            const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions, [projectId])
            const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, [projectId])
            const agents = { buyerAgent, supplierAgent, projectId }
            assert.deepStrictEqual(outcome(yield* submit(agents)), [409, "PROJECT_READ_ONLY"])
            const { projects } = yield* run(restored, "admin", "new-epoch", "--reason", "A disk failed.")
            assert.deepInclude(projects[0], { projectId, lost: { sequence: 5, eventHash: heads[0].eventHash } })

            const file = yield* issueAndExport(agents)
            const [before, after] = [eventsIn(lost), eventsIn(file)]
            assert.deepStrictEqual([...after.keys()], [1, 2, 6, 7, 8])
            for (const [sequence, event] of after) assert.deepStrictEqual(before.get(sequence) ?? event, event)
            const keys = yield* send("GET", "/.well-known/service-issuer-keys.json")
            const report = verifyResultFiles({
              artifact: Buffer.from(JSON.stringify(file)),
              trust: Buffer.from(keys.text),
              checkedAt: yield* now
            })
            assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0 })
            assert.include(report.limits, "EVENTS_LOST")
            assert.deepInclude(report.completeness.lost?.[0], { after: 2, through: 5, reason: "A disk failed." })
          })
        )
      })
    ),
  600_000
)
