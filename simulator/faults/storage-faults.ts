/**
 * Errors of a database, and crashes around a commit, at the port of the store: the same on memory and on Postgres. What
 * a failed attempt means is decided by the same rules as in an adapter.
 */
import { Duration, Effect, Exit } from "effect"
import { commitAborted, connectionLost, outcomeUnknown, untilEnded, type Attempt } from "../../src/ports/attempts.ts"
import type { Plan, Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import { Actor } from "../kernel/actor.ts"
import type { Process } from "../processes/process.ts"
import { isNote } from "../meanwhile.ts"
import { type CrashAt, InStep } from "./armed.ts"

/** SQLSTATEs, a connection that is lost, and the ways in which the answer to a COMMIT is. */
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

export const strikePoints = ["begin", "lock", "read", "write", "commit"] as const

export interface StrikePoint {
  readonly at: (typeof strikePoints)[number]
  /** The kind of root that is locked, the table that is read or written, or all tables that a commit writes. */
  readonly what: ReadonlyArray<string>
  /** True where it is only noted that a credential or a session was used. */
  readonly isNote: boolean
}

/** Whom something strikes: the actor, what a script calls it, and the step whose request it is. */
export interface Victim {
  readonly actor: string
  readonly called: string
  readonly step: number | undefined
}

export interface Strikes {
  /** True where something may strike: others pass untouched. */
  readonly waitsFor: (victim: Victim) => boolean
  readonly strike: (victim: Victim, point: StrikePoint) => StorageFault | CrashAt | undefined
}

export const withFaults = (storage: Storage["Service"], process: Process, strikes: Strikes): Storage["Service"] => ({
  ...storage,
  transaction: (plan, body) =>
    struckFor((struck) => attempt(storage, plan, body, struck), storage.transaction(plan, body), {
      process,
      strikes,
      isNote: isNote(plan)
    }),
  view: (body) =>
    struckFor((struck) => attemptView(storage, body, struck), storage.view(body), { process, strikes, isNote: false }),
  claim: (table, claim) => {
    const asked = storage.claim(table, claim)
    const whole = (struck: Struck) => tried(Effect.andThen(struck.at("begin", table.name), asked), struck)
    return struckFor(whole, asked, { process, strikes, isNote: false })
  }
})

/** Until an attempt ends, where something may strike this actor; untouched otherwise. */
const struckFor = <A, E, R>(
  attempted: (struck: Struck) => Effect.Effect<Attempt<A, E>, never, R>,
  untouched: Effect.Effect<A, E, R>,
  { process, strikes, isNote }: { readonly process: Process; readonly strikes: Strikes; readonly isNote: boolean }
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Effect.service(Actor), Effect.service(InStep)]), ([actor, step]) => {
    const victim = { actor, called: process.called ?? actor, step }
    const strike: Strike = (point) => strikes.strike(victim, { ...point, isNote })
    return strikes.waitsFor(victim)
      ? untilEnded(Effect.suspend(() => attempted(new Struck(process, strike))))
      : untouched
  })

type Strike = (point: Omit<StrikePoint, "isNote">) => StorageFault | CrashAt | undefined

const attemptView = <A, E, R>(
  storage: Storage["Service"],
  body: (reader: Reader) => Effect.Effect<A, E, R>,
  struck: Struck
): Effect.Effect<Attempt<A, E>, never, R> =>
  tried(
    Effect.andThen(
      struck.at("begin"),
      storage.view((reader) => body(strikingReads(reader, struck)))
    ),
    struck
  )

/** One try, and what struck it. */
const attempt = <A, E, R>(
  storage: Storage["Service"],
  plan: Plan,
  body: (transaction: Transaction) => Effect.Effect<A, E, R>,
  struck: Struck
): Effect.Effect<Attempt<A, E>, never, R> =>
  tried(
    struck.at("begin").pipe(
      Effect.andThen(Effect.forEach(plan.roots, ({ kind }) => struck.at("lock", kind), { discard: true })),
      Effect.andThen(
        storage.transaction(plan, (transaction) => {
          struck.written.clear()
          return Effect.tap(body(striking(transaction, struck)), struck.atCommit)
        })
      )
    ),
    struck
  )

const tried = <A, E, R>(run: Effect.Effect<A, E, R>, struck: Struck): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.map(Effect.exit(run), (exit): Attempt<A, E> => {
    if (struck.by === "after-commit") struck.process.crash()
    return attemptOf(exit, struck)
  })

const attemptOf = <A, E>(exit: Exit.Exit<A, E>, { by, where }: Struck): Attempt<A, E> => {
  if (by === undefined || harmless.has(by)) return { _tag: "Ended", exit }
  return { _tag: "Failed", failure: { code: codes[by] ?? by, reason: `injected at ${where}`, raced: false } }
}

/** The adapter finds out that it is committed, sooner or later. A process that is gone learns nothing at all. */
const harmless: ReadonlySet<string> = new Set([
  "commit-lost-committed",
  "commit-lost-running",
  "before-commit",
  "after-commit"
])

const codes: { readonly [fault: string]: string } = {
  "connection-lost": connectionLost,
  "commit-lost-aborted": commitAborted,
  "commit-lost-unknown": outcomeUnknown
}

/** What struck one attempt, and where. */
class Struck {
  by: StorageFault | CrashAt | undefined
  where = ""
  readonly written = new Set<string>()
  readonly process: Process
  readonly #strike: Strike

  constructor(process: Process, strike: Strike) {
    this.process = process
    this.#strike = strike
  }

  /** Ends the attempt where something strikes at this point and the rest of it must not happen. */
  at(at: StrikePoint["at"], ...what: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (at === "write") for (const table of what) this.written.add(table)
      const fault = this.#strike({ at, what })
      if (fault === undefined) return Effect.void
      this.by = fault
      this.where = [at, ...what].join(" ")
      if (fault === "before-commit") this.process.crash()
      if (fault === "commit-lost-running") return Effect.sleep(answerDelay)
      return goesThrough.has(fault) ? Effect.void : Effect.die(new Injected())
    })
  }

  /** What wrote nothing commits nothing. */
  readonly atCommit: Effect.Effect<void> = Effect.suspend(() =>
    this.written.size === 0 ? Effect.void : this.at("commit", ...this.written)
  )
}

/** These take nothing from the transaction itself. */
const goesThrough: ReadonlySet<string> = new Set(["commit-lost-committed", "commit-lost-unknown", "after-commit"])

const learnsNothing: ReadonlySet<string> = new Set(["commit-lost-unknown", "after-commit"])

/** How long a COMMIT goes on after its answer was lost. */
const answerDelay = Duration.millis(10)

class Injected extends Error {
  override readonly name = "Injected"
}

const strikingReads = (reader: Reader, struck: Struck): Reader => ({
  get: (table, key) => Effect.andThen(struck.at("read", table.name), reader.get(table, key)),
  find: (table, index, values) => Effect.andThen(struck.at("read", table.name), reader.find(table, index, values)),
  range: (table, index, range) => Effect.andThen(struck.at("read", table.name), reader.range(table, index, range))
})

const striking = (transaction: Transaction, struck: Struck): Transaction => ({
  ...strikingReads(transaction, struck),
  insert: (table, row) => Effect.andThen(struck.at("write", table.name), transaction.insert(table, row)),
  update: (table, key, changes) =>
    Effect.andThen(struck.at("write", table.name), transaction.update(table, key, changes)),
  remove: (table, key) => Effect.andThen(struck.at("write", table.name), transaction.remove(table, key)),
  lock: (root) => Effect.andThen(struck.at("lock", root.kind), transaction.lock(root)),
  now: transaction.now,
  // Who does not know that it is committed, or is gone by then, wakes nobody.
  afterCommit: (wake) =>
    transaction.afterCommit(
      Effect.suspend(() => (struck.by !== undefined && learnsNothing.has(struck.by) ? Effect.void : wake))
    )
})
