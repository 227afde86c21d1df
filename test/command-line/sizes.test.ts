/** `countersign admin sizes` as an operator runs it, and the arithmetic of its forecast. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sizesReport, type TableSize } from "../../src/adapters/sizes/report.ts"
import { startProject } from "../support/parties.ts"
import { embeddedInstallation, installationOn } from "../support/installation.ts"
import { execute, freshDatabase, migratedDatabase, valuesOf } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"
import { postgresStorage, testService } from "../support/service.ts"

const tableOf = (changes: Partial<TableSize>): TableSize => ({
  table: "projects",
  partitions: 0,
  heapBytes: 0,
  indexBytes: 0,
  toastBytes: 0,
  rows: 0,
  deadRows: 0,
  updates: 0,
  hotUpdates: 0,
  ...changes
})

describe("the forecast of sizes", () => {
  const tables = [
    tableOf({ heapBytes: 1_000_000, indexBytes: 500_000, updates: 4, hotUpdates: 3 }),
    tableOf({ table: "project_events", heapBytes: 2_000_000, toastBytes: 500_000 })
  ]
  const creation = { sampled: 100, recent: 30, ageDays: 400 }
  const input = { tables, projects: 1000, creation, periodDays: 30 }

  it("takes the bytes of a project with all that belongs to it, times the projects of a day", () => {
    const { bytes, bytesPerThousandProjects, growth, disk } = sizesReport(input, { bytes: 12_175_000, source: "FLAG" })
    assert.deepStrictEqual([bytes, bytesPerThousandProjects], [4_000_000, 4_000_000])
    assert.deepStrictEqual(growth, { days: 30, projectsPerDay: 10, bytesPerDay: 40_000 })
    assert.closeTo(disk!.monthsUntilFull!, 10, 0.01)
  })

  it("lists the largest table first, with the share of its updates that changed no index", () => {
    const shares = sizesReport(input, undefined).tables.map(({ table, bytes, hotShare }) => [table, bytes, hotShare])
    assert.deepStrictEqual(shares, [
      ["project_events", 2_500_000, null],
      ["projects", 1_500_000, 0.75]
    ])
  })

  it("takes the growth of an installation younger than the period over its own age", () => {
    const young = { sampled: 10, recent: 10, ageDays: 5 }
    assert.deepStrictEqual(sizesReport({ ...input, projects: 10, creation: young }, undefined).growth?.days, 5)
  })

  it("knows no months without growth, and none without free bytes", () => {
    const still = { ...input, creation: { sampled: 10, recent: 0, ageDays: 90 } }
    assert.isNull(sizesReport(still, { bytes: 1, source: "FLAG" }).disk!.monthsUntilFull)
    assert.isNull(sizesReport(input, undefined).disk)
    const empty = { ...input, projects: 0, creation: { sampled: 0, recent: 0, ageDays: 0 } }
    assert.isNull(sizesReport(empty, { bytes: 1, source: "FLAG" }).growth)
  })
})

it.live(
  "`admin sizes` counts partitions with their table, changes nothing, and names the flag for the free bytes.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* migratedDatabase
        const { environment } = yield* installationOn(connection)
        yield* startProject().pipe(Effect.provide(testService(postgresStorage(connection))))
        yield* execute(connection, [
          "create table parted (n bigint) partition by range (n)",
          "create table parted_1 partition of parted for values from (0) to (1000)",
          "create table parted_2 partition of parted for values from (1000) to (2000)",
          "insert into parted select generate_series(0, 1999)",
          "analyze"
        ])
        const rowsBefore = yield* valuesOf(
          connection,
          "select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables"
        )
        const printed = yield* runCommand(environment, "admin", "sizes", "--json", "--free-bytes", "1000000000000")
        assert.strictEqual(printed.code, 0, printed.output)
        const report = JSON.parse(printed.stdout)
        const parted = report.tables.find(({ table }: any) => table === "parted")
        const [[heap]] = (yield* valuesOf(
          connection,
          "select pg_table_size('parted_1') + pg_table_size('parted_2')"
        )) as [[bigint]]
        assert.deepInclude(parted, { partitions: 2, rows: 2000, heapBytes: Number(heap) })
        assert.notInclude(JSON.stringify(report.tables), "parted_1")
        assert.strictEqual(report.projects, 1)
        assert.strictEqual(report.growth.projectsPerDay, 1)
        assert.isAbove(report.disk.monthsUntilFull, 1)

        const text = yield* runCommand(environment, "admin", "sizes")
        assert.strictEqual(text.code, 0, text.output)
        assert.include(text.stdout, "parted (2 partitions)")
        assert.include(text.stdout, "--free-bytes")
        const rowsAfter = yield* valuesOf(
          connection,
          "select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables"
        )
        assert.deepStrictEqual(rowsAfter, rowsBefore)

        const refused = yield* runCommand(environment, "admin", "sizes", "--free-bytes=-1")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.include(refused.output, "--free-bytes is a number of bytes, 0 or more")
      })
    )
)

it.live("`admin sizes` creates no table in a database that has none, and says so.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshDatabase()
      const { environment } = yield* installationOn(connection)
      const refused = yield* runCommand(environment, "admin", "sizes")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.output, "no tables of Countersign")
      assert.deepStrictEqual(yield* valuesOf(connection, "select count(*) from pg_stat_user_tables"), [[0n]])
    })
  )
)

it.live("`admin sizes` takes the free bytes of the data directory with the embedded database.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const environment = yield* embeddedInstallation
      yield* runCommand(environment, "admin", "create-organization", "--name", "Harbor")
      const { stdout, code, output } = yield* runCommand(environment, "admin", "sizes", "--json")
      assert.strictEqual(code, 0, output)
      const { disk, growth, projects } = JSON.parse(stdout)
      assert.deepInclude(disk, { source: "DATA_DIRECTORY", monthsUntilFull: null })
      assert.isAbove(disk.freeBytes, 0)
      assert.deepStrictEqual([growth, projects], [null, 0])
    })
  )
)
