import { Context, Effect, Exit, Layer, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import { layer as memory } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { layer as postgres } from "../../src/adapters/postgres-storage/layer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { execute, freshDatabase } from "../support/postgres.ts"
import { storageContract } from "./storage.ts"
import type { FailureCode } from "./storage/processes.ts"
import { Accounts, contractSchema, contractTables } from "./tables.ts"

const lockTables = { project: Accounts }

const open = (storage: Layer.Layer<Storage>) => Effect.map(Layer.build(storage), (built) => Context.get(built, Storage))

// A sequence does not roll back: it distinguishes the second attempt from the first.
const failingOnce = [
  "create table failing (code text not null)",
  "create sequence failures",
  `create function fail_once() returns trigger language plpgsql as $$
    declare expected text := (select code from failing);
    begin
      if expected is not null and nextval('failures') = 1 then raise exception 'on purpose' using errcode = expected; end if;
      return new;
    end $$`,
  "create trigger fail_once before insert on facts for each row execute function fail_once()"
]

// One database for the suite, emptied before each test: remaining connections belong to the previous test.
const names = ["failing", "countersign_proofs", ...contractTables.map(({ name }) => name)]
const emptyDatabase = `do $$ begin
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
    lock table ${names.join()};
    ${names.map((name) => `delete from ${name};`).join(" ")}
    alter sequence failures restart;
  end $$`

const scope = Scope.makeUnsafe()
let connection: ConnectionOptions
beforeAll(async () => {
  connection = await Effect.runPromise(Scope.provide(freshDatabase([...contractSchema, ...failingOnce]), scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

storageContract(
  "Postgres",
  Effect.gen(function* () {
    yield* execute(connection, [emptyDatabase])
    const process = open(postgres({ connection, tables: contractTables, lockTables, schema: { oldest: 0, newest: 0 } }))
    return {
      here: yield* process,
      there: yield* process,
      failOnce: (code: FailureCode) => execute(connection, [`insert into failing values ('${code}')`])
    }
  })
)

storageContract(
  "the simulator's memory",
  Effect.gen(function* () {
    const store = new MemoryStore(lockTables)
    let failing: FailureCode | undefined
    const fault = ({ at }: { readonly at: string }) => {
      if (at !== "commit") return undefined
      const code = failing
      failing = undefined
      return code
    }
    const process = open(memory(store, { fault }))
    return {
      here: yield* process,
      there: yield* process,
      failOnce: (code: FailureCode) => Effect.sync(() => void (failing = code))
    }
  })
)
