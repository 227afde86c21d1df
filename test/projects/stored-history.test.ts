import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { exclusive, Storage, type Transaction } from "../../src/ports/storage.ts"
import { CommittedEvents } from "../../src/projects/committed-events.ts"
import type { EventContent } from "../../src/projects/event.ts"
import {
  appendEvent,
  currentPreconditions,
  readEvents,
  readStoredProject,
  requireHistoryBytes,
  type StoredProject
} from "../../src/projects/history.ts"
import type { Project } from "../../src/projects/project.ts"
import { searchTextOf } from "../../src/projects/search-text.ts"
import { ProjectSides, type ProjectRow } from "../../src/projects/store.ts"
import { lockTables } from "../../src/tables.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  actorOf,
  afterCommand,
  agreement,
  created,
  dayOne,
  issuedEvent,
  projectIn,
  withDateRevision,
  withSignatures
} from "../support/project.ts"
import { commandFor, sign } from "../support/project-commands.ts"
import { agent, dana, digestOfCharacter, sam, uuidOf } from "../support/project-people.ts"
import { codeOf, keyless, occurrence, projectId, runWith, storedOf, supersession } from "../support/stored-project.ts"

const response: EventContent = {
  kind: "RESPOND",
  payload: {
    agreementDigest: digestOfCharacter("a"),
    action: "ACCEPT",
    actorRole: "SUPPLIER",
    authorityAttested: true,
    reason: "Agreed."
  }
}

const withdrawal: EventContent = {
  kind: "WITHDRAW_CONFIRMATION",
  payload: { agreementDigest: digestOfCharacter("a"), confirmationId: `confirmation_${uuidOf(1)}`, reason: "No." }
}

const resolution = (resolved: "UPHELD" | "DISMISSED"): EventContent => ({
  kind: "RESOLVE_CONCERN",
  payload: { ...withdrawal.payload, resolution: resolved }
})

describe("appending an event", () => {
  it("An appended event becomes the head and is read back unchanged.", async () => {
    const stored = storedOf(created())
    const { appended, read } = await runWith(stored, (transaction) =>
      Effect.gen(function* () {
        const appended = yield* appendEvent(transaction, stored, occurrence(response))
        const [last] = (yield* readEvents(transaction, projectId)).slice(-1)
        assert.match(last?.jws ?? "", /^EVENT\./)
        return { appended, read: yield* readStoredProject(transaction, projectId) }
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
    assert.deepStrictEqual(currentPreconditions(appended), { headEventHash: hash, automationRevision: 3 })
  })

  it("The supplier's first response indexes the project under the supplier's organization exactly once.", async () => {
    const sides = (stored: StoredProject) =>
      runWith(stored, (transaction) =>
        Effect.gen(function* () {
          yield* appendEvent(transaction, stored, occurrence(response))
          return yield* transaction.get(ProjectSides, [actorOf(sam).organizationId, projectId])
        })
      )
    const side = { party: actorOf(sam).organizationId, projectId, role: "SUPPLIER" as const }
    assert.deepInclude(await sides(storedOf(created())), side)
    assert.isUndefined(await sides(storedOf(created(), { supplierOrganizationId: actorOf(sam).organizationId })))
    const buyerOrganizationId = actorOf(sam).organizationId
    assert.isUndefined(await sides(storedOf(created(), { buyerOrganizationId })))
  })

  it("Signatures, holds and their end are written to the row with their event.", async () => {
    const locked = withSignatures(projectIn("LOCKED"), "NATIVE")
    const signedBySam = afterCommand(locked, sign(locked), dayOne, sam)
    const held = withDateRevision(signedBySam, "DELIVERY")
    const after = async (project: Project, content: EventContent, by = agent(sam)) => {
      const stored = storedOf(project)
      const { row } = await runWith(stored, (transaction) => appendEvent(transaction, stored, occurrence(content, by)))
      return [row.signedBy, row.holdPurpose]
    }
    const contentOf = (project: Project) => project.events.at(-1)! as EventContent
    assert.deepStrictEqual(await after(locked, contentOf(signedBySam), sam), [["SUPPLIER"], null])
    const { agreementDigest } = held
    const payload = { agreementDigest, purpose: "DELIVERY" as const, reason: "Later." }
    assert.deepStrictEqual(await after(signedBySam, { kind: "DATE_REVISION", payload }), [["SUPPLIER"], "DELIVERY"])
    assert.deepStrictEqual(await after(held, { kind: "LIFT_HOLD", payload }, sam), [["SUPPLIER"], null])
    assert.deepStrictEqual(await after(held, supersession, agent(dana)), [["SUPPLIER"], null])
  })

  it("An event without a supplier organization keeps the known one.", async () => {
    const stored = storedOf(created(), { supplierOrganizationId: `organization_${uuidOf(7)}` })
    const appended = await runWith(stored, (transaction) =>
      appendEvent(transaction, stored, occurrence(supersession, agent(dana)))
    )
    assert.strictEqual(appended.row.supplierOrganizationId, `organization_${uuidOf(7)}`)
  })

  it("An event is never earlier than the last event of its project row.", async () => {
    const lastEventAt = addMilliseconds(dayOne, 5)
    const stored = storedOf(created(), { lastEventAt })
    const appended = await runWith(stored, (transaction) => appendEvent(transaction, stored, occurrence(response)))
    assert.strictEqual(appended.project.events.at(-1)?.occurredAt, lastEventAt)
    assert.strictEqual(appended.row.lastEventAt, lastEventAt)
  })

  it("The creation is signed under the schema of project events, and its search text is stored once.", async () => {
    const [creation] = created().events
    const { kind, payload } = creation as EventContent
    const append = (changes: Partial<ProjectRow>) => {
      const stored = storedOf(created(), changes)
      return runWith(stored, (transaction) =>
        appendEvent(transaction, stored, occurrence({ kind, payload } as EventContent, agent(dana)))
      )
    }
    const filled = await append({ searchText: null })
    assert.strictEqual(filled.project.events.at(-1)!.schema, "service.project-event/v1")
    assert.strictEqual(filled.row.searchText, searchTextOf(agreement.terms))
    assert.strictEqual((await append({ searchText: "as it was" })).row.searchText, "as it was")
  })

  it("An event is queued for the subscriptions of its project, and not without any.", async () => {
    const queued: Array<unknown> = []
    const queue = Layer.succeed(CommittedEvents, {
      queue: (_, event, after) => Effect.sync(() => void queued.push([event.kind, after.project.state]))
    })
    const append = (listeners: number) => {
      const stored = storedOf(created(), { listeners })
      return runWith(stored, (transaction) =>
        Effect.provide(appendEvent(transaction, stored, occurrence(response)), queue)
      )
    }
    await append(0)
    assert.deepStrictEqual(queued, [])
    await append(2)
    assert.deepStrictEqual(queued, [["RESPOND", "LOCKED"]])
  })

  it("Appending without a signing key is refused with ISSUER_NOT_CONFIGURED.", async () => {
    const stored = storedOf(created())
    const append = (transaction: Transaction) => codeOf(appendEvent(transaction, stored, occurrence(response)))
    assert.strictEqual(await runWith(stored, append, keyless), "ISSUER_NOT_CONFIGURED")
  })
})

describe("the size limit of a history", () => {
  const confirmed = () => projectIn("BUYER_CONFIRMED")
  const contested = () => projectIn("CONFIRMATION_CONTESTED")
  const cases: ReadonlyArray<
    readonly [string, () => Project, (project: Project) => EventContent, isReserved: boolean]
  > = [
    ["a response", created, () => response, false],
    ["a dismissal", contested, () => resolution("DISMISSED"), false],
    ["a record", confirmed, issuedEvent, true],
    ["a withdrawal", confirmed, () => withdrawal, true],
    ["an upheld concern", contested, () => resolution("UPHELD"), true],
    ["a supersession", created, () => supersession, true]
  ]

  it.each(cases)(
    "%s is accepted at exactly the byte limit of the history and refused one byte above it.",
    async (_, projectOf, contentOf, isReserved) => {
      const project = projectOf()
      const next = occurrence(contentOf(project))
      const most = isReserved ? limits.historyBytes : limits.historyBytes - limits.historyBytesReserved
      const stored = storedOf(project)
      const { row } = await runWith(stored, (transaction) => appendEvent(transaction, stored, next))
      const bytes = row.historyBytes - 1_000
      const appendAt = (historyBytes: number) => {
        const near = storedOf(project, { historyBytes })
        return runWith(near, (transaction) => codeOf(appendEvent(transaction, near, next)))
      }
      assert.strictEqual(await appendAt(most - bytes), "APPENDED")
      assert.strictEqual(await appendAt(most - bytes + 1), "DELIVERY_HISTORY_LIMIT_REACHED")
    }
  )

  it("A history has at most the events of the limit.", async () => {
    const appendAfter = (sequence: number) => {
      const project = created()
      const full = storedOf({ ...project, events: [{ ...project.events[0]!, sequence }] })
      return runWith(full, (transaction) => codeOf(appendEvent(transaction, full, occurrence(response))))
    }
    assert.strictEqual(await appendAfter(limits.eventsPerProject - 1), "APPENDED")
    assert.strictEqual(await appendAfter(limits.eventsPerProject), "DELIVERY_HISTORY_LIMIT_REACHED")
  })

  it("The room for an event is checked ahead as its append checks it.", async () => {
    const project = created()
    const next = occurrence(response)
    const { row } = await runWith(storedOf(project), (transaction) => appendEvent(transaction, storedOf(project), next))
    const most = limits.historyBytes - limits.historyBytesReserved - (row.historyBytes - 1_000)
    const checkedAt = (historyBytes: number) =>
      Effect.runSync(codeOf(requireHistoryBytes(storedOf(project, { historyBytes }), next)))
    assert.strictEqual(checkedAt(most), "APPENDED")
    assert.strictEqual(checkedAt(most + 1), "DELIVERY_HISTORY_LIMIT_REACHED")
  })

  it("The refusal of a full history names the required human action.", async () => {
    const stored = storedOf(created(), { historyBytes: limits.historyBytes })
    const refused = await runWith(stored, (transaction) =>
      Effect.flip(appendEvent(transaction, stored, occurrence(response)))
    )
    assert.strictEqual(refused.facts.requiredHumanAction, "REVIEW_CONTINUATION")
  })
})

describe("reading a stored project", () => {
  it("Reading an unknown project returns undefined.", async () => {
    const read = await Effect.gen(function* () {
      const storage = yield* Storage
      return yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
        readStoredProject(transaction, projectId)
      )
    }).pipe(Effect.provide([layer(new MemoryStore(lockTables)), instanceCaches]), Effect.runPromise)
    assert.isUndefined(read)
  })

  it("The supplier's organization is read from the row until an event names it.", async () => {
    const known = `organization_${uuidOf(7)}`
    const read = async (project: Project, supplierOrganizationId: string | null) => {
      const stored = storedOf(project, { supplierOrganizationId })
      return (await runWith(stored, (transaction) => readStoredProject(transaction, projectId)))?.project.supplier
        .organizationId
    }
    assert.isNull(await read(created(), null))
    assert.strictEqual(await read(created(), known), known)
    assert.strictEqual(await read(projectIn("LOCKED"), known), actorOf(sam).organizationId)
  })

  it("Events are read oldest first.", async () => {
    const submitted = projectIn("SUBMITTED")
    const asked = afterCommand(submitted, commandFor.REVIEW_REQUEST_CHANGES(submitted))
    const before = storedOf(asked)
    const { rows, stored } = await runWith(before, (transaction) =>
      Effect.gen(function* () {
        return {
          rows: yield* readEvents(transaction, projectId),
          stored: yield* readStoredProject(transaction, projectId)
        }
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
