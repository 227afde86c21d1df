/** `countersign admin check` as an operator runs it: output, exit codes, and that it changes nothing. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { installationOn } from "../support/installation.ts"
import { execute, migratedDatabase, valuesOf } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"

it.live(
  "`admin check` exits with 0 where nothing is wrong, 1 with findings, 2 where it could not check, and writes nothing.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* migratedDatabase
        const { environment } = yield* installationOn(connection)
        const admin = (...words: ReadonlyArray<string>) => runCommand(environment, "admin", ...words)
        const created = JSON.parse((yield* admin("create-organization", "--name", "Harbor")).stdout)
        const { organizationId } = created
        yield* admin("grant-credits", "--organization", organizationId, "--credits", "2", "--reference", "r")
        const logged = yield* valuesOf(connection, "select count(*) from administration_acts")

        const whole = yield* admin("check", "--pace", "0")
        assert.deepStrictEqual([whole.code, whole.stdout], [0, "1 checked, nothing wrong\n"])
        assert.include(whole.output, "organizations checked")

        yield* execute(connection, ["update organization_credits set balance = 7"])
        const damaged = yield* admin("check", "--pace", "0", "--json")
        assert.strictEqual(damaged.code, 1)
        const [finding, totals] = damaged.stdout
          .trim()
          .split("\n")
          .map((line): any => JSON.parse(line))
        assert.deepInclude(finding, { check: "credits", kind: "organizations", id: organizationId })
        assert.deepStrictEqual(totals, { checked: 1, findings: 1 })
        assert.notInclude(damaged.output, "Harbor")

        // A pass that resumes after the damaged row does not see it again.
        const resumed = yield* admin("check", "--resume", `organizations/${organizationId}`)
        assert.strictEqual(resumed.code, 0)
        for (const wrong of [["--resume", "organizations/a/b"], ["--resume", "unknown"], ["--pace=-1"]]) {
          const refused = yield* admin("check", ...wrong)
          assert.strictEqual(refused.code, 2, refused.output)
        }
        const unreachable = { ...environment, DATABASE_URL: "postgres://unknown_role@127.0.0.1:1/none" }
        assert.strictEqual((yield* runCommand(unreachable, "admin", "check")).code, 2)
        assert.deepStrictEqual(yield* valuesOf(connection, "select count(*) from administration_acts"), logged)
      })
    ),
  120_000
)
