/**
 * Errors of a database, and crashes around a commit, at the port of the store: the same on memory and on Postgres. What
 * a failed attempt means is decided by the same rules as in an adapter.
 */
import { Effect, Exit } from "effect"
import { connectionLost, untilEnded, type Attempt } from "../../src/ports/attempts.ts"
import { attemptAfter, type Outcome, outcomeBy, type Testimony } from "../../src/ports/lost-commit.ts"
import type { Plan, Reader, Storage, Transaction } from "../../src/ports/storage.ts"
import { Actor } from "../kernel/actor.ts"
import type { InTurn, Process } from "../processes/process.ts"
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

/** Each try has a turn of its own at the store: others go on in the pause before the next. */
export const withFaults = (
  storage: Storage["Service"],
  process: Process,
  strikes: Strikes,
  inTurn: InTurn
): Storage["Service"] => {
  const around = { process, strikes, inTurn, isNote: false }
  return {
    ...storage,
    transaction: (plan, body) =>
      struckFor((struck) => attempt(storage, plan, body, struck), storage.transaction(plan, body), {
        ...around,
        what: "transaction",
        isNote: isNote(plan)
      }),
    view: (body) =>
      struckFor((struck) => attemptView(storage, body, struck), storage.view(body), { ...around, what: "view" }),
    claim: (table, claim) => {
      const asked = storage.claim(table, claim)
      const whole = (struck: Struck) => tried(Effect.andThen(struck.at("begin", table.name), asked), struck)
      return struckFor(whole, asked, { ...around, what: "claim" })
    }
  }
}

interface Around {
  readonly process: Process
  readonly strikes: Strikes
  readonly inTurn: InTurn
  readonly what: string
  readonly isNote: boolean
}

/** Until an attempt ends, where something may strike this actor; untouched otherwise. */
const struckFor = <A, E, R>(
  attempted: (struck: Struck) => Effect.Effect<Attempt<A, E>, never, R>,
  untouched: Effect.Effect<A, E, R>,
  { process, strikes, inTurn, what, isNote }: Around
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Effect.service(Actor), Effect.service(InStep)]), ([actor, step]) => {
    const victim = { actor, called: process.called ?? actor, step }
    const strike: Strike = (point) => strikes.strike(victim, { ...point, isNote })
    const attempt = Effect.suspend(() =>
      strikes.waitsFor(victim)
        ? attempted(new Struck(process, strike))
        : Effect.map(Effect.exit(untouched), (exit): Attempt<A, E> => ({ _tag: "Ended", exit }))
    )
    return untilEnded(inTurn(what, attempt))
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

const attemptOf = <A, E>(exit: Exit.Exit<A, E>, { by, where, outcome }: Struck): Attempt<A, E> => {
  if (outcome !== undefined) return attemptAfter(outcome, exit)
  if (by === undefined || isCrash(by)) return { _tag: "Ended", exit }
  const code = by === "connection-lost" ? connectionLost : by
  return { _tag: "Failed", failure: { code, reason: `injected at ${where}`, raced: false } }
}

/** A process that is gone learns nothing at all. */
const isCrash = (by: string): by is CrashAt => by === "before-commit" || by === "after-commit"

/** What another connection says of each COMMIT whose answer is lost, once and then again; nothing where none answers. */
const testimonies: { readonly [fault: string]: ReadonlyArray<Testimony> } = {
  "commit-lost-committed": [{ isProven: true, isRunning: false }],
  "commit-lost-aborted": [{ isProven: false, isRunning: false }],
  "commit-lost-running": [
    { isProven: false, isRunning: true },
    { isProven: true, isRunning: false }
  ],
  "commit-lost-unknown": []
}

/** Where nobody answers, the time that is spent on asking is left out. */
const outcomeOf = (said: ReadonlyArray<Testimony>): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const left = [...said]
    return left.length === 0 ? Effect.succeed("unknown") : outcomeBy(Effect.sync(() => left.shift()))
  })

/** What struck one attempt, and where. */
class Struck {
  by: StorageFault | CrashAt | undefined
  where = ""
  /** What was found out of a COMMIT whose answer was lost. */
  outcome: Outcome | undefined
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
      const through = goesThrough.has(fault) ? Effect.void : Effect.die(new Injected())
      const said = testimonies[fault]
      return said === undefined ? through : Effect.andThen(this.#findOut(said), through)
    })
  }

  #findOut(said: ReadonlyArray<Testimony>): Effect.Effect<void> {
    return Effect.map(outcomeOf(said), (outcome) => {
      this.outcome = outcome
    })
  }

  /** What wrote nothing commits nothing. */
  readonly atCommit: Effect.Effect<void> = Effect.suspend(() =>
    this.written.size === 0 ? Effect.void : this.at("commit", ...this.written)
  )
}

/** These take nothing from the transaction itself. */
const goesThrough: ReadonlySet<string> = new Set([
  "commit-lost-committed",
  "commit-lost-running",
  "commit-lost-unknown",
  "after-commit"
])

const learnsNothing: ReadonlySet<string> = new Set(["commit-lost-unknown", "after-commit"])

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
