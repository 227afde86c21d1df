/**
 * The log and the commits of a run in memory, in the form in which the soak test reads them from clients and Postgres.
 */
import { Effect, Exit, Result } from "effect"
import { readScript } from "../../simulator/files.ts"
import { Streams } from "../../simulator/kernel/random.ts"
import { guardLeaks } from "../../simulator/leaks/guard.ts"
import { allRows, type Content, emptyContent, rowAt } from "../../simulator/memory-storage/content.ts"
import type { Observed } from "../../simulator/observation.ts"
import { runScenario } from "../../simulator/run.ts"
import { seededSigner } from "../../simulator/signer.ts"
import { stageInMemory } from "../../simulator/stage.ts"
import type { Signer } from "../../src/ports/signer.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { StoredRow } from "../../src/ports/stored-values.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { tables } from "../../src/tables.ts"
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import { requestIdIn, type Asked } from "./postgres-clients.ts"
import { type Change, type Committed, keyOf } from "./postgres-history.ts"
import type { Ending } from "./postgres-log.ts"

export interface Recorded {
  readonly history: ReadonlyArray<Committed>
  readonly asked: ReadonlyArray<Asked>
  readonly endings: ReadonlyArray<Ending>
  readonly keys: Signer["Service"]["keys"]
}

/** A run without faults and concurrency: each request is answered before the next is sent. */
export const recordedHistory = (file: string): Recorded => {
  const scenario = Result.getOrThrow(readScript(file))
  const history: Array<Committed> = []
  const observations: Array<Observed> = []
  const stage = stageInMemory(scenario, {
    observes: (observed) => void observations.push(observed),
    around: (storage) =>
      recordingStorage(
        storage,
        () => stage.store?.content ?? emptyContent,
        (changes) => void history.push({ at: stage.kernel.now, changes })
      )
  })
  const { result } = guardLeaks(() => stage.kernel.run(stage.logged(Effect.scoped(runScenario(scenario, stage)))))
  if (Exit.isFailure(result) || result.value !== "PASSED") throw new Error(`${file} did not pass`)
  const { keys } = seededSigner(new Streams(scenario.seed))
  const asked = requestsIn(observations)
  return { history, asked, endings: endingsIn(asked), keys }
}

/** Records every call that changes rows as a commit, also a claim, as on Postgres. */
const recordingStorage = (
  storage: Storage["Service"],
  content: () => Content,
  commits: (changes: ReadonlyArray<Change>) => void
): Storage["Service"] => {
  const noted = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const before = content()
      return Effect.tap(
        asked,
        Effect.sync(() => {
          const changes = tables.flatMap((table) => changesOf(table, before, content()))
          if (changes.length > 0) commits(changes)
        })
      )
    })
  return {
    ...storage,
    transaction: (plan, body) => noted(storage.transaction(plan, body)),
    claim: (table, due) => noted(storage.claim(table, due))
  }
}

const changesOf = (table: AnyTable, before: Content, after: Content): ReadonlyArray<Change> => {
  if (before.get(table.name) === after.get(table.name)) return []
  const isIn = (content: Content, row: StoredRow) => rowAt(content, table, "key", keyOf(table, row))
  const gone = allRows(before, table).filter((row) => isIn(after, row) === undefined)
  const written = allRows(after, table).filter((row) => isIn(before, row) !== row)
  return [
    ...gone.map((row): Change => ({ table, change: "remove", row })),
    ...written.map((row): Change => ({ table, change: isIn(before, row) === undefined ? "insert" : "update", row }))
  ]
}

const requestsIn = (observations: ReadonlyArray<Observed>): ReadonlyArray<Asked> => {
  const asked: Array<Asked> = []
  let request: Extract<Observed, { readonly kind: "request" }> | undefined
  for (const observed of observations) {
    if (observed.kind === "request") request = observed
    if (observed.kind !== "response" || request === undefined) continue
    const { method, path, body, at } = request
    const error = (observed.body as { readonly error?: string } | null)?.error
    asked.push({
      method,
      path,
      requestId: requestIdIn(body),
      invoked: toMilliseconds(at),
      answered: toMilliseconds(observed.at),
      status: observed.status,
      error,
      sends: 1
    })
  }
  return asked
}

/** Pauses until they are lifted, and revocations. */
const endingsIn = (asked: ReadonlyArray<Asked>): ReadonlyArray<Ending> =>
  asked.flatMap(({ path, answered }): ReadonlyArray<Ending> => {
    const [, noun, id = "", verb] = /\/(projects|grants)\/([^/]+)\/(pause|revoke)$/.exec(path) ?? []
    if (noun === "grants" && verb === "revoke") return [{ kind: "revocation", of: id, answered, until: undefined }]
    if (noun !== "projects" || verb !== "pause") return []
    const lifted = asked.find((one) => one.path.endsWith(`/projects/${id}/resume`) && one.invoked >= answered)
    return [{ kind: "pause", of: id, answered, until: lifted?.invoked }]
  })
