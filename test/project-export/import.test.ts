/** A project of a real database in a simulated world: it verifies, continues, forks and goes back. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { seededSigner } from "../../simulator/environment/signer.ts"
import { RandomStreams } from "../../simulator/kernel/prng.ts"
import { readScenario } from "../../simulator/scenario/format/read.ts"
import { writeScenario } from "../../simulator/scenario/format/write.ts"
import { readScript } from "../../simulator/scenario/files.ts"
import { scenarioOfExport } from "../../simulator/scenario/scenario-of-export.ts"
import { Session } from "../../simulator/scenario/session.ts"
import { simulateOn } from "../../simulator/scenario/simulate.ts"
import { worldKeys } from "../../simulator/scenario/world-keys.ts"
import { Rows } from "../../simulator/properties/property.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { AuthorityEvents, Grants } from "../../src/access/store.ts"
import { checkPage, startOfPass } from "../../src/integrity/pass.ts"
import { ResultRecords } from "../../src/records/store.ts"
import { layer as memoryLayer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { chainForms, chainProblem } from "../../src/integrity/signed-chain.ts"
import { migrations } from "../../src/migrations/all.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { exportProject } from "../../src/project-export/export.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { temporaryDirectory } from "../support/installation.ts"
import { runSimulate } from "../support/run-simulator.ts"
import { execute, migratedDatabase, valuesOf } from "../support/postgres.ts"

/** An agreed project with a webhook, before its submission; and one with an issued record. */
const agreed = "scenarios/webhooks/verified-webhook/scenario.yaml"
const finished = "scenarios/first-record/first-record/scenario.yaml"

/** The installation signs with other keys than the world of the import. */
const installationSeed = 7
const signer = Layer.succeed(Signer, seededSigner(new RandomStreams(installationSeed)))

/** Identities and an address that would be recognized in the export. */
const canaries = [
  "update persons set subject = 'CANARY-' || person_id, issuer = 'https://canary.example.org'",
  "insert into person_addresses select person_id, 'canary@example.org' from persons"
]

/** What the installation keeps: hashes of tokens and requests, targets and secrets of webhooks, leases. */
const secretValues = [
  "select token_hash from credentials",
  "select token_hash from sessions",
  "select target from webhook_subscriptions",
  "select sealed_secret from webhook_subscriptions",
  "select fingerprint from request_keys",
  "select lease_token from webhook_attempts where lease_token <> ''",
  "select lease_token from issuances where lease_token <> ''"
].join(" union all ")

const exportOf = Effect.fnUntraced(
  function* (file: string, isLast: (operation: string) => boolean = () => false) {
    const connection = yield* migratedDatabase
    const storage = PostgresStorage.layer({ connection, tables, lockTables, schema: schemaRangeOf(migrations) })
    return yield* Effect.gen(function* () {
      const whole = Result.getOrThrow(readScript(file))
      const end = whole.steps.findIndex((step) => step.kind === "act" && isLast(step.operation))
      const steps = whole.steps.slice(0, end === -1 ? whole.steps.length : end)
      const scenario = { ...whole, steps, seed: installationSeed }
      const storages = [yield* Storage]
      const { verdict, story } = yield* Effect.promise(() => simulateOn(storages, scenario, { file }))
      assert.strictEqual(verdict, "PASSED", story)
      yield* execute(connection, canaries)
      const [[projectId] = []] = (yield* valuesOf(
        connection,
        "select project_id from projects order by event_count desc limit 1"
      )) as ReadonlyArray<ReadonlyArray<string>>
      const document = yield* exportProject(projectId!)
      // The clock of the scenario: its dates are long past on ours.
      const times = document.rows["project_events"]!.map(({ occurredAt }) => String(occurredAt) as Instant)
      const secrets = (yield* valuesOf(connection, secretValues)) as ReadonlyArray<ReadonlyArray<string>>
      const exportedAt = addMilliseconds(times.sort().at(-1)!, 1000)
      return { secrets: secrets.flat(), document: { ...document, exportedAt } }
    }).pipe(Effect.provide([storage, signer]))
  },
  Effect.scoped,
  Effect.orDie
)

const submission = {
  summary: "The chart.",
  items: [
    {
      criterionId: "chart",
      summary: "The whole harbor on one sheet.",
      references: [],
      files: [{ name: "harbor.pdf", reference: "folder harbor", size: 4816920, sha256: "6b".repeat(32) }]
    }
  ]
}

const changes = {
  action: "REQUEST_CHANGES",
  reason: "The mole is missing.",
  nextAction: "Draw the mole.",
  decisions: [{ criterionId: "chart", decision: "NOT_MET" }]
}

const chainProblemsIn = (session: Session) => {
  const rows = new Rows(session.content)
  const keys = worldKeys(session.opening)
  const projects = rows.of(Projects).map(({ projectId: id, agreementDigest, headEventHash, eventCount }) => {
    const events = rows.of(ProjectEvents).filter((event) => event.projectId === id)
    return chainProblem(
      chainForms.project,
      { id, origin: agreementDigest, head: [headEventHash, eventCount], events },
      keys
    )
  })
  const grants = rows.of(Grants).map(({ grantId: id, authorityHead, authoritySequence }) => {
    const events = rows.of(AuthorityEvents).filter((event) => event.grantId === id)
    return chainProblem(chainForms.grant, { id, origin: null, head: [authorityHead, authoritySequence], events }, keys)
  })
  return { count: projects.length + grants.length, problems: [...projects, ...grants].filter((problem) => problem) }
}

it.live(
  "An exported project holds no secret, verifies in a world of its own, continues there, forks and goes back.",
  () =>
    Effect.gen(function* () {
      const { document, secrets } = yield* exportOf(agreed, (operation) => operation === "submitAsPerson")
      assert.notMatch(JSON.stringify(document), /canary/i)
      assert.isAbove(secrets.length, 5)
      for (const secret of secrets) assert.notInclude(JSON.stringify(document), secret)

      // The scenario that `simulate import` writes is read back as any other.
      const { definition, steps } = scenarioOfExport(document)
      const scenario = Result.getOrThrow(readScenario("imported.yaml", writeScenario(definition, steps)))
      const session = new Session(scenario, { acceptsAnyResponse: true })
      for (const step of steps) {
        const { ended, answer } = session.do(step)
        assert.isUndefined(ended, JSON.stringify([step, answer]))
      }
      const before = chainProblemsIn(session)
      assert.isAbove(before.count, 1)
      assert.deepStrictEqual(before.problems, [])

      const act = (world: Session, as: string, operation: string, input?: object) => {
        const form = { as, do: operation, on: "${project}", ...(input && { input }) }
        const { answer } = world.do(form)
        assert.isBelow(answer?.status ?? 500, 300, JSON.stringify([form, answer?.body]))
        return answer
      }
      const eventsOf = (world: Session) => new Rows(world.content).of(ProjectEvents).length
      const imported = eventsOf(session)
      assert.strictEqual(imported, document.rows["project_events"]!.length)
      const place = session.storedSteps.length
      act(session, "buyer-1", "pauseProject", { reason: "A rehearsal." })
      act(session, "buyer-1", "resumeProject", { reason: "It may go on." })
      act(session, "supplier-1", "readOwnProject")
      act(session, "supplier-1", "submitAsPerson", submission)
      assert.strictEqual(eventsOf(session), imported + 1)
      assert.deepStrictEqual(chainProblemsIn(session).problems, [])

      const fork = session.fork()
      assert.strictEqual(fork.trace, session.trace)
      assert.deepStrictEqual(chainProblemsIn(fork).problems, [])
      act(fork, "buyer-agent-1", "readProject")
      act(fork, "buyer-1", "readOwnProject")
      act(fork, "buyer-1", "reviewAsPerson", changes)
      assert.strictEqual(eventsOf(fork), imported + 2)
      assert.strictEqual(eventsOf(session), imported + 1)

      const back = session.fork(place)
      assert.strictEqual(eventsOf(back), imported)
      assert.deepStrictEqual(chainProblemsIn(back).problems, [])
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "An export of the version before the end of memberships became a column continues in a world of its own.",
  () =>
    Effect.gen(function* () {
      const { document } = yield* exportOf(agreed, (operation) => operation === "submitAsPerson")
      const memberships = document.rows["memberships"]!.map(({ effectiveUntil: _effectiveUntil, ...row }) => row)
      const { definition, steps } = scenarioOfExport({ ...document, rows: { ...document.rows, memberships } })
      const session = new Session(definition, { acceptsAnyResponse: true })
      for (const step of steps) assert.isUndefined(session.do(step).ended, JSON.stringify(step))
      const pause = { as: "buyer-1", do: "pauseProject", on: "${project}", input: { reason: "A rehearsal." } }
      assert.strictEqual(session.do(pause).answer?.status, 200)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "A finished project keeps its record, its credit and its history in a world of its own, and nothing in them is wrong.",
  () =>
    Effect.gen(function* () {
      const { document } = yield* exportOf(finished)
      const { definition, steps } = scenarioOfExport(document)
      const session = new Session(definition, { acceptsAnyResponse: true })
      for (const step of steps) assert.isUndefined(session.do(step).ended, JSON.stringify(step))
      const storage = memoryLayer(new MemoryStore(lockTables, session.content))
      const keys = Layer.succeed(Signer, { ...seededSigner(new RandomStreams(1)), keys: worldKeys(definition) })
      const findings: Array<unknown> = []
      for (let at: typeof startOfPass | undefined = startOfPass; at !== undefined;) {
        const page: Effect.Success<ReturnType<typeof checkPage>> = yield* checkPage(at).pipe(
          Effect.provide([storage, keys])
        )
        findings.push(...page.findings)
        at = page.next
      }
      assert.deepStrictEqual(findings, [])
      assert.lengthOf(new Rows(session.content).of(ResultRecords), 1)

      // The package holds both: history and record of the installation, and the signature of the world around them.
      const agents = Object.keys(definition.given.imported!.agents)
      const exports = { do: "exportResultPackage", on: "${project}", keep: "review" }
      assert.isTrue(agents.some((as) => session.do({ as, ...exports }).answer?.status === 200))
      session.introduceVisitor("iris", "a reader")
      const { answer } = session.do({ as: "iris", do: "verify", input: { artifact: "${review}" } })
      assert.deepInclude(answer?.body as object, {
        verdict: "VERIFIED_WITH_LIMITATIONS",
        historicalValidity: "VERIFIED"
      })

      const folder = yield* temporaryDirectory
      const [file, other, out] = ["export.json", "other.json", "imported.yaml"].map((name) => path.join(folder, name))
      fs.writeFileSync(file!, JSON.stringify(document))
      fs.writeFileSync(other!, JSON.stringify({ ...document, schema: "service.issuer-keys/v1" }))
      const simulate = (...words: ReadonlyArray<string>) => Effect.promise(() => runSimulate(words))
      assert.deepInclude(yield* simulate("import", file!, "--out", out!), { status: 0, stderr: "" })
      assert.strictEqual((yield* simulate("run", out!)).status, 0)
      const refusals = [
        ["import", file!, "--out", out!],
        ["import", other!, "--out", out!, "--overwrite"],
        ["import", file!, "--out", path.join(folder, "imported.json")]
      ]
      for (const words of refusals) assert.strictEqual((yield* simulate(...words)).status, 2, words.join(" "))
    }).pipe(Effect.scoped),
  120_000
)
