/** `countersign migrate`: prints what is pending, or runs the migrations of one kind. */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Configuration } from "../adapters/configuration.ts"
import { contractDatabase, expandDatabase, pendingMigrations } from "../adapters/database.ts"
import type { MigrationPlan } from "../adapters/migration-plan.ts"
import { reportFailure, CommandFailure } from "./production.ts"

const expand = Flag.Boolean("expand").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Run the pending expands, beside processes of the previous version; a start does it too")
)

const contract = Flag.Boolean("contract").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Run the pending contracts, once no process of an older version is connected")
)

const json = Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one JSON object"))

export const migrate = Command.make("migrate", { expand, contract, json }, ({ expand, contract, json }) =>
  Effect.gen(function* () {
    if (expand && contract) {
      return yield* new CommandFailure({
        message: "--expand and --contract belong before and after the switch: run one"
      })
    }
    if (!expand && !contract) {
      const plan = yield* pendingMigrations
      return yield* Console.log(json ? jsonOf(plan) : textOf(plan))
    }
    const migrated = yield* expand ? expandDatabase : contractDatabase
    if (json) return yield* Console.log(JSON.stringify({ migrated }))
    return yield* Console.log(migrated.length === 0 ? "nothing to do" : `migrated: ${migrated.join(", ")}`)
  }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reportFailure)
).pipe(Command.withDescription("Print the pending migrations, or run those of one kind, beside running processes"))

const textOf = ({ schema, pending }: MigrationPlan): string =>
  [
    `schema ${schema}, ${pending.length === 0 ? "nothing is pending" : `${pending.length} pending`}`,
    ...pending.map(
      ({ migration: { id, name, kind, steps }, stepsDone }) =>
        `${String(id).padStart(6)}  ${kind.padEnd(8)}  ${name}` +
        (stepsDone === 0 ? "" : ` (interrupted; ${stepsDone} of ${steps.length} steps done)`)
    )
  ].join("\n")

const jsonOf = ({ schema, pending }: MigrationPlan): string =>
  JSON.stringify({
    schema,
    pending: pending.map(({ migration: { id, name, kind, steps }, stepsDone }) => ({
      id,
      name,
      kind,
      steps: steps.length,
      stepsDone
    }))
  })
