/** Compares the migrations that a database records with those that a program knows. */
import { createHash } from "node:crypto"
import { Data, Effect } from "effect"
import { schemaRangeOf, type Migration } from "../migrations/migration.ts"
import type { OpenConnection } from "./postgres-connection.ts"
import { proofTable } from "./postgres-storage/commit-proofs.ts"
import { migrationRecords } from "./schema-registration.ts"

export class MigrationError extends Data.TaggedError("MigrationError")<{ readonly message: string }> {}

export interface PendingMigration {
  readonly migration: Migration
  /** The steps that an interrupted run has recorded as done. */
  readonly stepsDone: number
}

export interface MigrationPlan {
  /** The newest migration that the database has. */
  readonly schema: number
  /** True where every table of the migrator has its present columns. */
  readonly hasTables: boolean
  readonly pending: ReadonlyArray<PendingMigration>
}

/** Reads without a lock; fails where this program and the database do not belong together. */
export const planFor = Effect.fnUntraced(function* (open: OpenConnection, migrations: ReadonlyArray<Migration>) {
  const query = (sql: string) => open.answered(open.connection.queryValues(sql, [], false))
  const [[hasRecords, hasTables] = []] = yield* query(tablesPresent)
  const records =
    hasRecords === true ? (yield* query(`select * from ${migrationRecords} order by id`)).map(recordOf) : []
  return { hasTables: hasTables === true, ...(yield* compare(records, migrations)) } satisfies MigrationPlan
})

/** The pending migrations that a start runs: expands, and on a new database everything. */
export const expandsOf = ({
  schema,
  pending
}: MigrationPlan): Effect.Effect<ReadonlyArray<PendingMigration>, MigrationError> => {
  if (schema === 0) return Effect.succeed(pending)
  const contract = pending.findIndex(isContract)
  if (contract === -1) return Effect.succeed(pending)
  const expand = pending.slice(contract).find((one) => !isContract(one))
  if (expand === undefined) return Effect.succeed(pending.slice(0, contract))
  return refuse(
    `${titleOf(expand.migration)} is an expand after the contract ${titleOf(pending[contract]!.migration)}, which is pending:` +
      " stop the processes of the versions before that contract, run `countersign migrate --contract`, and start again"
  )
}

/** The pending contracts, up to the next expand. */
export const contractsOf = ({
  pending
}: MigrationPlan): Effect.Effect<ReadonlyArray<PendingMigration>, MigrationError> => {
  const [next] = pending
  if (next !== undefined && !isContract(next)) {
    return refuse(`${titleOf(next.migration)} is an expand that comes first: run \`countersign migrate --expand\``)
  }
  const expand = pending.findIndex((one) => !isContract(one))
  return Effect.succeed(expand === -1 ? pending : pending.slice(0, expand))
}

export const titleOf = ({ id, name }: Migration): string => `migration ${id} (${name})`

/** The checksum of a migration of one transaction is that of its statements, as recorded before there were steps. */
export const checksumOf = ({ steps }: Migration): string => {
  const [first] = steps
  const summed = steps.length === 1 && first?.kind === "transaction" ? first.statements : steps
  return createHash("sha256").update(JSON.stringify(summed)).digest("hex")
}

export const recordTables: ReadonlyArray<string> = [
  `create table if not exists countersign_migrations (
  id bigint not null primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default clock_timestamp()
)`,
  `alter table countersign_migrations
  add column if not exists kind text not null default 'expand',
  add column if not exists steps_left integer not null default 0`,
  proofTable
]

const tablesPresent =
  "select to_regclass('countersign_migrations') is not null," +
  " to_regclass('countersign_proofs') is not null and exists (select from pg_attribute" +
  " where attrelid = to_regclass('countersign_migrations') and attname = 'steps_left')"

interface MigrationRecord {
  readonly id: number
  readonly name: string
  readonly checksum: string
  readonly kind: string
  readonly stepsLeft: number
}

const recordOf = ([id, name, checksum, kind, stepsLeft]: ReadonlyArray<unknown>): MigrationRecord => ({
  id: Number(id),
  name: String(name),
  checksum: String(checksum),
  kind: String(kind),
  stepsLeft: Number(stepsLeft)
})

const isContract = ({ migration }: PendingMigration): boolean => migration.kind === "contract"

const compare = (
  records: ReadonlyArray<MigrationRecord>,
  migrations: ReadonlyArray<Migration>
): Effect.Effect<Pick<MigrationPlan, "schema" | "pending">, MigrationError> => {
  const misnumbered = migrations.find((migration, index) => migration.id !== index + 1)
  if (misnumbered !== undefined) return refuse(`migration ${misnumbered.name} is numbered ${misnumbered.id}`)
  const { newest } = schemaRangeOf(migrations)
  const contract = records.find(({ id, kind }) => id > newest && kind === "contract")
  if (contract !== undefined) {
    return refuse(
      `the database has migration ${contract.id} (${contract.name}), newer than this program, which knows ${newest}, and it` +
        " took away what this program uses: start the newer program, or restore the database from before"
    )
  }
  const known = records.filter(({ id }) => id <= newest)
  for (const { id, name, checksum } of known) {
    const migration = migrations[id - 1]
    if (migration === undefined || checksumOf(migration) !== checksum) {
      return refuse(`migration ${id} (${name}) has changed since this database ran it: start the version that ran it`)
    }
  }
  const isDone = ({ id }: Migration) => records.some((record) => record.id === id && record.stepsLeft === 0)
  const stepsDone = ({ id, steps }: Migration) =>
    steps.length - (records.find((record) => record.id === id)?.stepsLeft ?? steps.length)
  return Effect.succeed({
    schema: records.at(-1)?.id ?? 0,
    pending: migrations
      .filter((migration) => !isDone(migration))
      .map((migration) => ({ migration, stepsDone: stepsDone(migration) }))
  })
}

export const refuse = (message: string): Effect.Effect<never, MigrationError> =>
  Effect.fail(new MigrationError({ message }))
