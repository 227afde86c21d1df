/**
 * Storage on Postgres. A transaction stands in line for its roots inside this process, then takes a connection, and
 * runs as often as the outcome of its attempts asks for.
 */
import { Effect, Layer } from "effect"
import { untilEnded } from "../../ports/attempts.ts"
import { inLockingOrder, outsideTransaction } from "../../ports/held-roots.ts"
import { RootQueue } from "../../ports/root-queue.ts"
import { Storage, type Plan, type Root } from "../../ports/storage.ts"
import type { AnyTable } from "../../ports/table.ts"
import { Wakes } from "../../ports/wakes.ts"
import { attempt, type Surroundings } from "./attempt.ts"
import { makeConnections, type ConnectionOptions } from "./connections.ts"
import type { RootTables } from "./locks.ts"
import { makeReader } from "./reader.ts"
import type { Counts, Session } from "./session.ts"
import { claim, health } from "./single.ts"
import { uniqueConstraints } from "./statements.ts"
import { PostgresTransaction, type Commit } from "./transaction.ts"

export interface Options {
  readonly connection: ConnectionOptions
  readonly maxConnections?: number
  /** Every table that is declared raced must be among them. */
  readonly tables: ReadonlyArray<AnyTable>
  readonly rootTables: RootTables
  /** The newest migration that this program knows. */
  readonly schemaWanted: number
  /** The epoch that this process hashes tokens in: a database of another one is not used. Absent in tests of the storage alone. */
  readonly epoch?: string
  /** Told after each attempt how many statements and round trips it took. */
  readonly observe?: (counts: Counts) => void
}

export const layer = (options: Options): Layer.Layer<Storage> => Layer.effect(Storage, make(options))

const make = Effect.fnUntraced(function* (options: Options) {
  const connections = yield* makeConnections(options.connection, options.maxConnections ?? 10, options.epoch)
  const queue = new RootQueue()
  const surroundings: Surroundings = {
    connections,
    racedKeys: new Set(options.tables.filter((table) => table.raced).flatMap(uniqueConstraints)),
    observe: options.observe ?? (() => {})
  }
  return Storage.of({
    transaction: (plan, body) =>
      outsideTransaction(() => {
        const roots = inLockingOrder(plan.roots)
        const open = attempt(
          surroundings,
          (session) => {
            const transaction = new PostgresTransaction(session, options.rootTables, plan, roots)
            const { commit, wakes } = transaction
            return { body: Effect.suspend(() => body(transaction)), commit, wakes }
          },
          plan.urgent
        )
        return queue.hold(waitedFor(plan), untilEnded(open), plan.urgent)
      }),
    view: (body) =>
      outsideTransaction(() =>
        untilEnded(
          attempt(surroundings, (session) => {
            session.submitControl("begin isolation level repeatable read read only")
            return {
              body: Effect.suspend(() => body(makeReader(session))),
              commit: endView(session),
              wakes: new Wakes()
            }
          })
        )
      ),
    claim: (table, due) => outsideTransaction(() => untilEnded(claim(connections, table, due))),
    health: outsideTransaction(() => untilEnded(health(connections, options.schemaWanted)))
  })
})

/**
 * Shared roots are held in the database alone: whoever ends an authority waits for the commands that run, not for those
 * that still stand in line here for a project.
 */
const waitedFor = ({ roots, deferred }: Plan): ReadonlyArray<Root> =>
  inLockingOrder([...roots, ...(deferred ?? [])]).filter(({ mode }) => mode === "exclusive")

/** Nothing hangs on the COMMIT of a view. */
const endView = (session: Session): Effect.Effect<Commit> =>
  Effect.sync(() => {
    session.submitLast("commit")
    return { _tag: "Committed" }
  })
