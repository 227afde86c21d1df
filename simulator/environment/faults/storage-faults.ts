/**
 * Injects database errors and crashes around a commit at the storage port: the same for memory and Postgres. Failed
 * attempts follow the same retry rules as in an adapter.
 */
import { Effect, Exit } from "effect"
import { connectionLost, retryUntilSettled, type Attempt } from "../../../src/ports/storage/transaction-retry.ts"
import {
  attemptFor,
  type CommitOutcome,
  resolveCommitOutcome,
  type CommitEvidence
} from "../../../src/ports/storage/indeterminate-commit.ts"
import type { LockPlan, Reader, Storage, Transaction } from "../../../src/ports/storage.ts"
import { Actor, Owner } from "../../kernel/actor.ts"
import type { Serialize, Process } from "../processes/process.ts"
import { isLastUsedUpdate } from "../interleaving-hook.ts"
import { type CrashAt, CurrentOperation, CurrentStep } from "./armed-faults.ts"

/** SQLSTATEs, a lost connection, and lost responses to COMMIT. */
export const storageFaults = [
  "40001",
  "40P01",
  "57014",
  "53200",
  "25006",
  "connection-lost",
  "commit-lost-committed",
  "commit-lost-aborted",
  "commit-lost-running",
  "commit-lost-unknown"
] as const
export type StorageFault = (typeof storageFaults)[number]

export const storageFaultPoints = ["begin", "lock", "read", "write", "commit"] as const

export interface StorageFaultPoint {
  readonly at: (typeof storageFaultPoints)[number]
  /** The kind of lock, the table, or all tables that a commit writes. */
  readonly what: ReadonlyArray<string>
  /** True for a transaction that only records the use of a credential or session. */
  readonly isBookkeeping: boolean
}

/** The target of a fault: the actor, its name in the scenario, and the step and operation of its request. */
export interface FaultTarget {
  readonly actor: string
  readonly scenarioName: string
  readonly step: number | undefined
  readonly operation: string | undefined
}

export interface FaultSource {
  /** True if a fault may occur for this target. */
  readonly hasFaultFor: (victim: FaultTarget) => boolean
  readonly takeFault: (victim: FaultTarget, point: StorageFaultPoint) => StorageFault | CrashAt | undefined
}

/** Each attempt is serialized separately: others may run before its retry. */
export const withFaults = (
  storage: Storage["Service"],
  process: Process,
  source: FaultSource,
  serialize: Serialize
): Storage["Service"] => {
  const around = { process, source, serialize, isNote: false }
  return {
    ...storage,
    transaction: (plan, body) =>
      withInjection((injected) => attempt(storage, plan, body, injected), storage.transaction(plan, body), {
        ...around,
        what: "transaction",
        isNote: isLastUsedUpdate(plan)
      }),
    view: (body) =>
      withInjection((injected) => attemptView(storage, body, injected), storage.view(body), {
        ...around,
        what: "view"
      }),
    claim: (table, claim) => {
      const claimed = storage.claim(table, claim)
      const whole = (injected: InjectedFault) =>
        withOutcome(Effect.andThen(injected.at("begin", table.name), claimed), injected)
      return withInjection(whole, claimed, { ...around, what: "claim" })
    }
  }
}

interface Settings {
  readonly process: Process
  readonly source: FaultSource
  readonly serialize: Serialize
  readonly what: string
  readonly isNote: boolean
}

/** Runs attempts with injected faults if there may be any for this actor. */
const withInjection = <A, E, R>(
  attempted: (injected: InjectedFault) => Effect.Effect<Attempt<A, E>, never, R>,
  untouched: Effect.Effect<A, E, R>,
  { process, source, serialize, what, isNote }: Settings
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const actor = yield* Effect.service(Actor)
    const step = yield* Effect.service(CurrentStep)
    const operation = yield* Effect.service(CurrentOperation)
    const victim = { actor, scenarioName: process.scenarioName ?? actor, step, operation }
    const takeFault: TakeFault = (point) => source.takeFault(victim, { ...point, isBookkeeping: isNote })
    const attempt = Effect.suspend(() =>
      source.hasFaultFor(victim)
        ? attempted(new InjectedFault(process, takeFault))
        : Effect.map(Effect.exit(untouched), (exit): Attempt<A, E> => ({ _tag: "Ended", exit }))
    )
    return yield* retryUntilSettled(serialize(what, attempt))
  })

type TakeFault = (point: Omit<StorageFaultPoint, "isBookkeeping">) => StorageFault | CrashAt | undefined

const attemptView = <A, E, R>(
  storage: Storage["Service"],
  body: (reader: Reader) => Effect.Effect<A, E, R>,
  injected: InjectedFault
): Effect.Effect<Attempt<A, E>, never, R> =>
  withOutcome(
    Effect.andThen(
      injected.at("begin"),
      storage.view((reader) => body(readerWithFaults(reader, injected)))
    ),
    injected
  )

/** One attempt with its injected fault. */
const attempt = <A, E, R>(
  storage: Storage["Service"],
  plan: LockPlan,
  body: (transaction: Transaction) => Effect.Effect<A, E, R>,
  injected: InjectedFault
): Effect.Effect<Attempt<A, E>, never, R> =>
  withOutcome(
    injected.at("begin").pipe(
      Effect.andThen(Effect.forEach(plan.locks, ({ kind }) => injected.at("lock", kind), { discard: true })),
      Effect.andThen(
        storage.transaction(plan, (transaction) => {
          injected.written.clear()
          return Effect.tap(body(transactionWithFaults(transaction, injected)), injected.atCommit)
        })
      )
    ),
    injected
  )

const withOutcome = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  injected: InjectedFault
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.map(Effect.exit(run), (exit): Attempt<A, E> => {
    if (injected.by === "after-commit") injected.process.crash()
    return attemptOf(exit, injected)
  })

const attemptOf = <A, E>(exit: Exit.Exit<A, E>, { by, where, outcome }: InjectedFault): Attempt<A, E> => {
  if (outcome !== undefined) return attemptFor(outcome, exit)
  if (by === undefined || isCrash(by)) return { _tag: "Ended", exit }
  const code = by === "connection-lost" ? connectionLost : by
  return { _tag: "Failed", failure: { code, reason: `injected at ${where}`, raced: false } }
}

/** A crashed process gets no result. */
const isCrash = (by: string): by is CrashAt => by === "before-commit" || by === "after-commit"

/** The successive checks on another connection after a lost response to COMMIT; none if it is unreachable. */
const evidenceOfFault: { readonly [fault: string]: ReadonlyArray<CommitEvidence> } = {
  "commit-lost-committed": [{ isProven: true, isRunning: false }],
  "commit-lost-aborted": [{ isProven: false, isRunning: false }],
  "commit-lost-running": [
    { isProven: false, isRunning: true },
    { isProven: true, isRunning: false }
  ],
  "commit-lost-unknown": []
}

/** Without an answer, the time for the checks is not simulated. */
const outcomeOf = (checks: ReadonlyArray<CommitEvidence>): Effect.Effect<CommitOutcome> =>
  Effect.suspend(() => {
    const left = [...checks]
    return left.length === 0 ? Effect.succeed("unknown") : resolveCommitOutcome(Effect.sync(() => left.shift()))
  })

const database: Owner = { hasEnded: false }

/** The injected fault of one attempt and its point. */
class InjectedFault {
  by: StorageFault | CrashAt | undefined
  where = ""
  /** The determined outcome of a COMMIT whose response was lost. */
  outcome: CommitOutcome | undefined
  readonly written = new Set<string>()
  readonly process: Process
  readonly #takeFault: TakeFault

  constructor(process: Process, takeFault: TakeFault) {
    this.process = process
    this.#takeFault = takeFault
  }

  /** Ends the attempt if a fault occurs at this point and prevents the rest. */
  at(at: StorageFaultPoint["at"], ...what: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (at === "write") for (const table of what) this.written.add(table)
      const fault = this.#takeFault({ at, what })
      if (fault === undefined) return Effect.void
      this.by = fault
      this.where = [at, ...what].join(" ")
      if (fault === "before-commit") this.process.crash()
      const through = nonAborting.has(fault) ? Effect.void : Effect.die(new Injected())
      const checks = evidenceOfFault[fault]
      return checks === undefined ? through : Effect.andThen(this.#findOut(checks), through)
    })
  }

  /** A running COMMIT is the database's: it ends also if the process crashes before. */
  #findOut(checks: ReadonlyArray<CommitEvidence>): Effect.Effect<void> {
    const known = Effect.map(outcomeOf(checks), (outcome) => {
      this.outcome = outcome
    })
    return Effect.provideService(known, Owner, database)
  }

  /** A transaction without writes has no commit point. */
  readonly atCommit: Effect.Effect<void> = Effect.suspend(() =>
    this.written.size === 0 ? Effect.void : this.at("commit", ...this.written)
  )
}

/** Faults that leave the transaction itself intact. */
const nonAborting: ReadonlySet<string> = new Set([
  "commit-lost-committed",
  "commit-lost-running",
  "commit-lost-unknown",
  "after-commit"
])

const unknownOutcome: ReadonlySet<string> = new Set(["commit-lost-unknown", "after-commit"])

class Injected extends Error {
  override readonly name = "Injected"
}

const readerWithFaults = (reader: Reader, injected: InjectedFault): Reader => ({
  get: (table, key) => Effect.andThen(injected.at("read", table.name), reader.get(table, key)),
  find: (table, index, values) => Effect.andThen(injected.at("read", table.name), reader.find(table, index, values)),
  range: (table, index, range) => Effect.andThen(injected.at("read", table.name), reader.range(table, index, range))
})

const transactionWithFaults = (transaction: Transaction, injected: InjectedFault): Transaction => ({
  ...readerWithFaults(transaction, injected),
  hints: readerWithFaults(transaction.hints, injected),
  insert: (table, row) => Effect.andThen(injected.at("write", table.name), transaction.insert(table, row)),
  update: (table, key, changes) =>
    Effect.andThen(injected.at("write", table.name), transaction.update(table, key, changes)),
  remove: (table, key) => Effect.andThen(injected.at("write", table.name), transaction.remove(table, key)),
  lock: (root) => Effect.andThen(injected.at("lock", root.kind), transaction.lock(root)),
  now: transaction.now,
  // Without a known commit, or after a crash, no after-commit hook runs.
  afterCommit: (wake) =>
    transaction.afterCommit(
      Effect.suspend(() => (injected.by !== undefined && unknownOutcome.has(injected.by) ? Effect.void : wake))
    )
})
