import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../simulator/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/memory-storage/store.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { IssuerNotConfigured, Signer } from "../../src/ports/signer.ts"
import { exclusive, Storage, type Transaction } from "../../src/ports/storage.ts"
import { CommittedEvents } from "../../src/projects/committed-events.ts"
import type { Happening } from "../../src/projects/event.ts"
import { appendEvent, preconditions, readEvents, readStored, rowOf, type Stored } from "../../src/projects/history.ts"
import type { Project } from "../../src/projects/project.ts"
import { ProjectEvents, Projects, ProjectSides, type ProjectRow } from "../../src/projects/store.ts"
import { rootTables } from "../../src/tables.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import type { Refused } from "../../src/vocabulary/refusals.ts"
import { actorOf, after, agreement, created, dayOne, issued, projectIn } from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"
import { rowFor } from "../support/project-row.ts"
import { agent, dana, digestOfLetter, sam, uuidOf } from "../support/project-people.ts"

const keys = { schema: "service.issuer-keys/v1", issuer: "test", environment: "test", keys: [] } as const

/** Signs nothing, but keeps the payload where a signature has it. */
const unsigned = Layer.succeed(Signer, {
  keys,
  sign: (purpose, payload) =>
    Effect.succeed(`${purpose}.${Buffer.from(canonicalText(payload)).toString("base64url")}.s`)
})
const keyless = Layer.succeed(Signer, { keys, sign: () => Effect.fail(new IssuerNotConfigured({ purpose: "EVENT" })) })

/** None of these projects has anybody who listens. */
const nobodyListens = Layer.succeed(CommittedEvents, { queue: () => Effect.die("nobody listens") })

const { projectId } = agreement

/** A store that holds the project, and what a transaction on it makes. */
const within = <A, E>(
  { row, project }: Stored,
  use: (transaction: Transaction) => Effect.Effect<A, E, Signer | CommittedEvents>,
  signer: Layer.Layer<Signer> = unsigned
) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const roots = [exclusive("project", projectId)]
    yield* storage.transaction({ roots }, (transaction) =>
      Effect.gen(function* () {
        yield* transaction.insert(Projects, row)
        for (const event of project.events) {
          const payload = { ...event, hash: undefined }
          const jws = `h.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.s`
          yield* transaction.insert(ProjectEvents, rowOf(event, jws))
        }
      })
    )
    return yield* storage.transaction({ roots }, use)
  }).pipe(Effect.provide(Layer.mergeAll(layer(new MemoryStore(rootTables)), signer, nobodyListens)), Effect.runPromise)

const storedOf = (project: Project, changes: Partial<ProjectRow> = {}): Stored => ({
  row: rowFor(project, changes),
  project
})

const occurrence = (happening: Happening, by = agent(sam)) => ({
  happening,
  requestId: uuidOf(9),
  actor: actorOf(by),
  now: dayOne
})

const response: Happening = {
  kind: "RESPOND",
  payload: {
    agreementDigest: digestOfLetter("a"),
    action: "ACCEPT",
    actorRole: "SUPPLIER",
    authorityAttested: true,
    reason: "Agreed."
  }
}

const withdrawal: Happening = {
  kind: "WITHDRAW_CONFIRMATION",
  payload: { agreementDigest: digestOfLetter("a"), confirmationId: `confirmation_${uuidOf(1)}`, reason: "No." }
}

const resolution = (resolved: "UPHELD" | "DISMISSED"): Happening => ({
  kind: "RESOLVE_CONCERN",
  payload: { ...withdrawal.payload, resolution: resolved }
})

const supersession: Happening = {
  kind: "SUPERSEDE",
  payload: {
    agreementDigest: digestOfLetter("a"),
    successor: { projectId: `delivery_${uuidOf(2)}`, digest: digestOfLetter("b") },
    reason: "Other terms."
  }
}

const codeOf = <A, R>(effect: Effect.Effect<A, Refused, R>) =>
  Effect.match(effect, { onFailure: ({ code }) => code as string, onSuccess: () => "APPENDED" })

describe("an appended event", () => {
  it("moves the head, and is read back as it was made", async () => {
    const given = storedOf(created())
    const { appended, read } = await within(given, (transaction) =>
      Effect.gen(function* () {
        const appended = yield* appendEvent(transaction, given, occurrence(response))
        const [last] = (yield* readEvents(transaction, projectId)).slice(-1)
        assert.match(last?.jws ?? "", /^EVENT\./)
        return { appended, read: yield* readStored(transaction, projectId) }
      })
    )
    assert.strictEqual(appended.project.state, "LOCKED")
    assert.deepStrictEqual(read?.project, appended.project)
    assert.deepStrictEqual(read?.row, appended.row)
    const { historyBytes, ...row } = appended.row
    const last = appended.project.events.at(-1)!
    const { hash, ...payload } = last
    assert.strictEqual(historyBytes, 1_000 + Buffer.byteLength(canonicalText(payload)))
    assert.deepInclude(row, {
      state: "LOCKED",
      headEventHash: hash,
      eventCount: 2,
      lastEventAt: dayOne,
      supplierActorId: sam.personId,
      supplierOrganizationId: actorOf(sam).organizationId
    })
    assert.deepStrictEqual(preconditions(appended), { headEventHash: hash, automationRevision: 3 })
  })

  it("lets the supplier's organization find the project from its first answer on, once", async () => {
    const sides = (given: Stored) =>
      within(given, (transaction) =>
        Effect.gen(function* () {
          yield* appendEvent(transaction, given, occurrence(response))
          return yield* transaction.get(ProjectSides, [actorOf(sam).organizationId, projectId])
        })
      )
    const side = { party: actorOf(sam).organizationId, projectId, role: "SUPPLIER" as const }
    assert.deepInclude(await sides(storedOf(created())), side)
    assert.isUndefined(await sides(storedOf(created(), { supplierOrganizationId: actorOf(sam).organizationId })))
    const buyerOrganizationId = actorOf(sam).organizationId
    assert.isUndefined(await sides(storedOf(created(), { buyerOrganizationId })))
  })

  it("keeps the organization that was known where an event tells of none", async () => {
    const given = storedOf(created(), { supplierOrganizationId: `organization_${uuidOf(7)}` })
    const appended = await within(given, (transaction) =>
      appendEvent(transaction, given, occurrence(supersession, agent(dana)))
    )
    assert.strictEqual(appended.row.supplierOrganizationId, `organization_${uuidOf(7)}`)
  })

  it("is not earlier than its predecessor's row", async () => {
    const lastEventAt = addMilliseconds(dayOne, 5)
    const given = storedOf(created(), { lastEventAt })
    const appended = await within(given, (transaction) => appendEvent(transaction, given, occurrence(response)))
    assert.strictEqual(appended.project.events.at(-1)?.occurredAt, lastEventAt)
    assert.strictEqual(appended.row.lastEventAt, lastEventAt)
  })

  it("is refused without a key", async () => {
    const given = storedOf(created())
    const append = (transaction: Transaction) => codeOf(appendEvent(transaction, given, occurrence(response)))
    assert.strictEqual(await within(given, append, keyless), "ISSUER_NOT_CONFIGURED")
  })
})

describe("the bytes of a history", () => {
  const confirmed = () => projectIn("BUYER_CONFIRMED")
  const contested = () => projectIn("CONFIRMATION_CONTESTED")
  const cases: ReadonlyArray<readonly [string, () => Project, (project: Project) => Happening, isKept: boolean]> = [
    ["a response", created, () => response, false],
    ["a dismissal", contested, () => resolution("DISMISSED"), false],
    ["a record", confirmed, issued, true],
    ["a withdrawal", confirmed, () => withdrawal, true],
    ["what is upheld", contested, () => resolution("UPHELD"), true],
    ["a supersession", created, () => supersession, true]
  ]

  it.each(cases)("%s fits exactly, or is refused", async (_, projectOf, happeningOf, isKept) => {
    const project = projectOf()
    const happening = occurrence(happeningOf(project))
    const most = isKept ? limits.historyBytes : limits.historyBytes - limits.historyBytesReserved
    const given = storedOf(project)
    const { row } = await within(given, (transaction) => appendEvent(transaction, given, happening))
    const bytes = row.historyBytes - 1_000
    const appendAt = (historyBytes: number) => {
      const near = storedOf(project, { historyBytes })
      return within(near, (transaction) => codeOf(appendEvent(transaction, near, happening)))
    }
    assert.strictEqual(await appendAt(most - bytes), "APPENDED")
    assert.strictEqual(await appendAt(most - bytes + 1), "DELIVERY_HISTORY_LIMIT_REACHED")
  })

  it("that are full name what a person has to do", async () => {
    const given = storedOf(created(), { historyBytes: limits.historyBytes })
    const refused = await within(given, (transaction) =>
      Effect.flip(appendEvent(transaction, given, occurrence(response)))
    )
    assert.strictEqual(refused.facts.requiredHumanAction, "REVIEW_CONTINUATION")
  })
})

describe("what is read", () => {
  it("is nothing where there is no project", async () => {
    const read = await Effect.gen(function* () {
      const storage = yield* Storage
      return yield* storage.transaction({ roots: [exclusive("project", projectId)] }, (transaction) =>
        readStored(transaction, projectId)
      )
    }).pipe(Effect.provide(layer(new MemoryStore(rootTables))), Effect.runPromise)
    assert.isUndefined(read)
  })

  it("knows the supplier's organization from its row before any event tells of it", async () => {
    const known = `organization_${uuidOf(7)}`
    const read = async (project: Project, supplierOrganizationId: string | null) => {
      const given = storedOf(project, { supplierOrganizationId })
      return (await within(given, (transaction) => readStored(transaction, projectId)))?.project.supplier.organizationId
    }
    assert.isNull(await read(created(), null))
    assert.strictEqual(await read(created(), known), known)
    assert.strictEqual(await read(projectIn("LOCKED"), known), actorOf(sam).organizationId)
  })

  it("is every event, oldest first", async () => {
    const submitted = projectIn("SUBMITTED")
    const asked = after(submitted, commandFor.REVIEW_REQUEST_CHANGES(submitted))
    const given = storedOf(asked)
    const { rows, stored } = await within(given, (transaction) =>
      Effect.gen(function* () {
        return { rows: yield* readEvents(transaction, projectId), stored: yield* readStored(transaction, projectId) }
      })
    )
    assert.deepStrictEqual(
      rows.map(({ sequence, kind, hash, occurredAt }) => [sequence, kind, hash, occurredAt]),
      asked.events.map(({ sequence, kind, hash, occurredAt }) => [sequence, kind, hash, occurredAt])
    )
    assert.strictEqual(stored?.project.state, "CHANGES_REQUESTED")
    assert.strictEqual(stored?.project.head, asked.head)
  })
})
