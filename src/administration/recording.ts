/**
 * Records the acts of operators. An act on the database has its row in the transaction of its effect, so that no effect is
 * unrecorded; an act on files has one row before and one after.
 */
import { Effect } from "effect"
import { Storage, StorageUnavailable, type Transaction } from "../ports/storage.ts"
import type { AnyTable } from "../ports/table.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, Refusal } from "../vocabulary/refusals.ts"
import type { Act, ActOutcome } from "./act.ts"
import { AdministrationActs } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * Runs an operation whose effects are transactions of `Storage`: each commits with a row `DONE`. A refused or failed
 * operation leaves a row with its outcome.
 */
export const recordAct = traced("administration.recordAct")(function* <A, E, R>(
  act: Act,
  operation: Effect.Effect<A, E, R>
) {
  yield* requireTexts(act)
  const storage = yield* Storage
  const writeRow = yield* rowWriter(act)
  const recordingStorage = Storage.of({
    ...storage,
    transaction: (plan, body) =>
      storage.transaction(plan, (transaction) => {
        const { observed, changed } = observe(transaction)
        return Effect.tap(body(observed), () => writeRow(transaction, "DONE", changed()))
      })
  })
  const writeOutcome = (outcome: ActOutcome) =>
    storage.transaction({ locks: [] }, (transaction) => writeRow(transaction, outcome, []))
  return yield* operation.pipe(
    Effect.provideService(Storage, recordingStorage),
    Effect.tapError((error) => keepError(act, writeOutcome(outcomeOf(error))))
  )
})

/** Runs an operation that changes something outside the database, between a row `BEGUN` and a row with its outcome. */
export const recordFileAct = traced("administration.recordFileAct")(function* <A, E, R>(
  act: Act,
  operation: Effect.Effect<A, E, R>
) {
  yield* requireTexts(act)
  const storage = yield* Storage
  const writeRow = yield* rowWriter(act)
  const write = (outcome: ActOutcome) =>
    storage.transaction({ locks: [] }, (transaction) => writeRow(transaction, outcome, []))
  yield* write("BEGUN")
  return yield* operation.pipe(
    Effect.tapError((error) => keepError(act, write(outcomeOf(error)))),
    Effect.tap(() => reportPossibleChange(write("DONE")))
  )
})

/** The change has taken effect, also where its last row cannot be written. */
const reportPossibleChange = <E, R>(row: Effect.Effect<void, E, R>) =>
  Effect.catchDefect(row, (defect) =>
    Effect.die(
      defect instanceof StorageUnavailable
        ? new StorageUnavailable({ reason: defect.reason, mayBeCommitted: true })
        : defect
    )
  )

/** The operator receives the error of the operation itself, also where its row cannot be written. */
const keepError = <E, R>({ command }: Act, row: Effect.Effect<void, E, R>) =>
  Effect.catchDefect(row, (defect) =>
    Effect.logError("the row of an act could not be written", {
      command,
      reason: defect instanceof StorageUnavailable ? defect.reason : String(defect)
    })
  )

/** Checked before an act starts. */
export const requireTexts = ({ operator, why }: Pick<Act, "operator" | "why">) => {
  const { titleCharacters, textCharacters } = limits
  if (operator.who.length < 1 || operator.who.length > titleCharacters) {
    return refuse("INVALID_REQUEST", { detail: `--by has 1 to ${titleCharacters} characters.` })
  }
  return why !== null && (why.length < 1 || why.length > textCharacters)
    ? refuse("INVALID_REQUEST", { detail: `--reason has 1 to ${textCharacters} characters.` })
    : Effect.void
}

const outcomeOf = (error: unknown): ActOutcome => (error instanceof Refusal ? error.code : "FAILED")

/** Writes the rows of one act, numbered in commit order. */
const rowWriter = Effect.fnUntraced(function* ({ operator, ...act }: Act) {
  const ids = yield* idSeed
  const actId = ids("plan").next("act")
  let committed = 0
  return (transaction: Transaction, outcome: ActOutcome, changed: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const at = yield* transaction.now
      const step = committed + 1
      yield* transaction.insert(AdministrationActs, { actId, step, at, ...operator, ...act, outcome, changed })
      yield* transaction.afterCommit(Effect.sync(() => void (committed = step)))
    })
})

/** A transaction that collects the ids of the rows that its body writes. */
const observe = (transaction: Transaction) => {
  const changed = new Set<string>()
  const recordId = (table: AnyTable, id: unknown): void => {
    if (hasPublicId(table) && typeof id === "string") changed.add(id)
  }
  const observed: Transaction = {
    get: (table, key) => transaction.get(table, key),
    find: (table, index, values) => transaction.find(table, index, values),
    range: (table, index, range) => transaction.range(table, index, range),
    hints: transaction.hints,
    lock: (lockKey) => transaction.lock(lockKey),
    now: transaction.now,
    insert: (table, row) => (recordId(table, row[String(table.key[0])]), transaction.insert(table, row)),
    update: (table, key, changes) => (recordId(table, key[0]), transaction.update(table, key, changes)),
    remove: (table, key) => (recordId(table, key[0]), transaction.remove(table, key)),
    afterCommit: (wake) => transaction.afterCommit(wake)
  }
  return { observed, changed: () => [...changed].sort() }
}

/** True for a table whose rows have a single id, which is no hash of a secret. */
const hasPublicId = ({ key, guard }: AnyTable): boolean =>
  key.length === 1 && key[0] !== "tokenHash" && (guard === "append-only" || guard.by === key[0])
