/**
 * The log and the commits of a run in memory, in the form in which the soak test reads them from clients and Postgres.
 */
import { Effect, Exit, Result } from "effect"
import { readScript } from "../../simulator/scenario/files.ts"
import { RandomStreams } from "../../simulator/kernel/prng.ts"
import { guardLeaks } from "../../simulator/kernel/leaks/leak-guard.ts"
import { allRows, type Content, emptyContent, rowAt } from "../../simulator/storage/memory-storage/content.ts"
import type { TimedObservation } from "../../simulator/observation/observation.ts"
import { runScenario } from "../../simulator/scenario/run.ts"
import { seededSigner } from "../../simulator/environment/signer.ts"
import { setupInMemory } from "../../simulator/scenario/simulation-setup.ts"
import type { Signer } from "../../src/ports/signer.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { StoredRow } from "../../src/ports/storage/stored-values.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { tables } from "../../src/tables.ts"
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import { requestIdIn, type LoggedRequest } from "./postgres-clients.ts"
import { type Change, type CommittedTransaction, keyOf } from "./postgres-history.ts"
import type { StopInterval } from "./postgres-log.ts"

export interface RecordedRun {
  readonly history: ReadonlyArray<CommittedTransaction>
  readonly requests: ReadonlyArray<LoggedRequest>
  readonly stops: ReadonlyArray<StopInterval>
  readonly keys: Signer["Service"]["keys"]
}

/** A run without faults and concurrency: each request is answered before the next is sent. */
export const recordedHistory = (file: string): RecordedRun => {
  const scenario = Result.getOrThrow(readScript(file))
  const history: Array<CommittedTransaction> = []
  const observations: Array<TimedObservation> = []
  const stage = setupInMemory(scenario, {
    onObservation: (observed) => void observations.push(observed),
    wrapStorage: (storage) =>
      recordingStorage(
        storage,
        () => stage.store?.content ?? emptyContent,
        (changes) => void history.push({ at: stage.scheduler.now, changes })
      )
  })
  const { result } = guardLeaks(() => stage.scheduler.run(stage.logged(Effect.scoped(runScenario(scenario, stage)))))
  if (Exit.isFailure(result) || result.value !== "PASSED") throw new Error(`${file} did not pass`)
  const { keys } = seededSigner(new RandomStreams(scenario.seed))
  const asked = requestsIn(observations)
  return { history, requests: asked, stops: endingsIn(asked), keys }
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

const requestsIn = (observations: ReadonlyArray<TimedObservation>): ReadonlyArray<LoggedRequest> => {
  const asked: Array<LoggedRequest> = []
  let request: Extract<TimedObservation, { readonly kind: "request" }> | undefined
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
const endingsIn = (asked: ReadonlyArray<LoggedRequest>): ReadonlyArray<StopInterval> =>
  asked.flatMap(({ path, answered }): ReadonlyArray<StopInterval> => {
    const [, noun, id = "", verb] = /\/(projects|grants)\/([^/]+)\/(pause|revoke)$/.exec(path) ?? []
    if (noun === "grants" && verb === "revoke") return [{ kind: "revocation", of: id, answered, until: undefined }]
    if (noun !== "projects" || verb !== "pause") return []
    const lifted = asked.find((one) => one.path.endsWith(`/projects/${id}/resume`) && one.invoked >= answered)
    return [{ kind: "pause", of: id, answered, until: lifted?.invoked }]
  })
