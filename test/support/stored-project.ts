/** A project in a store of its own, and events to append to its history. */
import { Effect, Layer } from "effect"
import { layer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { instanceCaches, type Caches } from "../../src/ports/caches.ts"
import { IssuerNotConfigured, Signer } from "../../src/ports/signer.ts"
import { exclusive, Storage, type Transaction } from "../../src/ports/storage.ts"
import { CommittedEvents } from "../../src/projects/committed-events.ts"
import type { EventContent } from "../../src/projects/event.ts"
import { eventRow, type NewEvent, type StoredProject } from "../../src/projects/history.ts"
import type { Project } from "../../src/projects/project.ts"
import { ProjectEvents, Projects, type ProjectRow } from "../../src/projects/store.ts"
import { lockTables } from "../../src/tables.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { actorOf, agreement, dayOne } from "./project.ts"
import { agent, digestOfCharacter, sam, uuidOf } from "./project-people.ts"
import { rowFor } from "./project-row.ts"

const keys = { schema: "service.issuer-keys/v1", issuer: "test", environment: "test", keys: [] } as const

/** A signer without a signature: the payload is encoded as in a JWS. */
const unsigned = Layer.succeed(Signer, {
  keys,
  sign: (purpose, payload) =>
    Effect.succeed(`${purpose}.${Buffer.from(canonicalText(payload)).toString("base64url")}.s`)
})
export const keyless = Layer.succeed(Signer, {
  keys,
  sign: () => Effect.fail(new IssuerNotConfigured({ purpose: "EVENT" }))
})

/** The projects have no subscribers, so no event is queued. */
const noSubscribers = Layer.succeed(CommittedEvents, { queue: () => Effect.die("no subscribers") })

export const { projectId } = agreement

/** The stored events of a project. */
export const rowsOf = ({ events }: Project) =>
  events.map((event) => {
    const { hash: _, ...payload } = event
    return eventRow(event, `h.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.s`)
  })

/** Runs a transaction on a store that holds the project. */
export const runWith = <A, E>(
  { row, project }: StoredProject,
  use: (transaction: Transaction) => Effect.Effect<A, E, Signer | CommittedEvents | Caches>,
  signer: Layer.Layer<Signer> = unsigned
) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const locks = [exclusive("project", projectId)]
    yield* storage.transaction({ locks }, (transaction) =>
      Effect.gen(function* () {
        yield* transaction.insert(Projects, row)
        for (const stored of rowsOf(project)) yield* transaction.insert(ProjectEvents, stored)
      })
    )
    return yield* storage.transaction({ locks }, use)
  }).pipe(
    Effect.provide(Layer.mergeAll(layer(new MemoryStore(lockTables)), signer, noSubscribers, instanceCaches)),
    Effect.runPromise
  )

export const storedOf = (project: Project, changes: Partial<ProjectRow> = {}): StoredProject => ({
  row: rowFor(project, changes),
  project
})

export const occurrence = (content: EventContent, by = agent(sam)): NewEvent => ({
  content,
  requestId: uuidOf(9),
  actor: actorOf(by),
  now: dayOne
})

export const supersession: EventContent = {
  kind: "SUPERSEDE",
  payload: {
    agreementDigest: digestOfCharacter("a"),
    successor: { projectId: `delivery_${uuidOf(2)}`, digest: digestOfCharacter("b") },
    reason: "Other terms."
  }
}

export const codeOf = <A, R>(effect: Effect.Effect<A, Refusal, R>) =>
  Effect.match(effect, { onFailure: ({ code }) => code as string, onSuccess: () => "APPENDED" })
