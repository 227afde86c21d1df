/** `countersign migrate` prints what is pending, and changes the database only with a flag. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migrations } from "../../src/migrations/all.ts"
import { embeddedInstallation, installationOn } from "../support/installation.ts"
import { freshDatabase } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"

it.live("migrate lists the pending migrations with their kinds, --expand runs them, and both flags are refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshDatabase())
      const before = yield* runCommand(environment, "migrate", "--json")
      const { schema, pending } = JSON.parse(before.stdout)
      assert.strictEqual(schema, 0)
      assert.deepStrictEqual(pending[0], { id: 1, name: "people", kind: "expand", steps: 1, stepsDone: 0 })
      assert.lengthOf(pending, migrations.length)
      const text = yield* runCommand(environment, "migrate")
      assert.match(text.stdout, new RegExp(`^schema 0, ${migrations.length} pending\n {5}1 {2}expand {4}people\n`))
      const both = yield* runCommand(environment, "migrate", "--expand", "--contract")
      assert.strictEqual(both.code, 1)
      assert.match(both.output, /^countersign: --expand and --contract belong before and after the switch: run one\n$/)
      const early = yield* runCommand(environment, "migrate", "--contract")
      assert.strictEqual(early.code, 1)
      assert.match(
        early.output,
        /^countersign: migration 1 \(people\) is an expand .*`countersign migrate --expand`\n$/
      )
      const expanded = yield* runCommand(environment, "migrate", "--expand")
      assert.match(expanded.stdout, /^migrated: people, access, /)
      assert.strictEqual((yield* runCommand(environment, "migrate", "--expand", "--json")).stdout, '{"migrated":[]}\n')
      assert.strictEqual((yield* runCommand(environment, "migrate", "--contract")).stdout, "nothing to do\n")
      assert.strictEqual(
        (yield* runCommand(environment, "migrate")).stdout,
        `schema ${migrations.length}, nothing is pending\n`
      )
    })
  )
)

it.live("migrate --expand prepares the embedded database, which a later command finds migrated.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const environment = yield* embeddedInstallation
      assert.match((yield* runCommand(environment, "migrate", "--expand")).stdout, /^migrated: people, /)
      assert.match((yield* runCommand(environment, "migrate")).stdout, /, nothing is pending\n$/)
    })
  )
)
