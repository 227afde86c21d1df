/** `admin sizes`: what the database occupies by table, how fast it grows, and how long the disk lasts. Reads only. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Configuration } from "../../adapters/configuration.ts"
import { unmigratedDatabase } from "../../adapters/database.ts"
import { freeSpaceOf, readSizes } from "../../adapters/sizes/read.ts"
import { sizesReport, type FreeSpace, type SizesReport } from "../../adapters/sizes/report.ts"
import { CommandFailure, reportFailure } from "../production.ts"
import { requireDatabase } from "./existing-installation.ts"
import { json } from "./flags.ts"
import { jsonText, tableText } from "./text.ts"

const freeBytes = Flag.Int("free-bytes").pipe(
  Flag.withDescription(
    "The free bytes of the disk of Postgres, to say how long they last; by default those of the data directory, with the embedded database"
  ),
  Flag.optional
)

export const sizes = Command.make("sizes", { freeBytes, json }, ({ freeBytes, json }) =>
  Effect.gen(function* () {
    yield* requireDatabase
    const free = yield* freeSpace(Option.getOrUndefined(freeBytes))
    const report = sizesReport(yield* readSizes(yield* unmigratedDatabase), free)
    yield* Console.log(json ? jsonText(report) : reportText(report))
  }).pipe(Effect.scoped, Effect.provide(Configuration.layer), reportFailure)
).pipe(
  Command.withDescription(
    "Bytes by table and per thousand projects, rows, dead rows, the share of updates that changed no index, growth per day, and the " +
      "months until the disk is full; counts partitions with their table, and changes nothing"
  )
)

/** A database elsewhere does not tell the free bytes of its disk. */
const freeSpace = Effect.fnUntraced(function* (given: number | undefined) {
  const { databaseUrl, dataDirectory } = yield* Configuration
  if (given === undefined) return Option.isSome(databaseUrl) ? undefined : freeSpaceOf(dataDirectory)
  if (given < 0) {
    return yield* new CommandFailure({
      message: "--free-bytes is a number of bytes, 0 or more: give the free bytes on the disk of Postgres."
    })
  }
  return { bytes: given, source: "FLAG" } satisfies FreeSpace
})

const reportText = (report: SizesReport): string => {
  const columns = {
    TABLE: ({ table, partitions }: SizesReport["tables"][number]) =>
      partitions === 0 ? table : `${table} (${partitions} partitions)`,
    BYTES: ({ bytes }: SizesReport["tables"][number]) => bytesText(bytes),
    HEAP: ({ heapBytes }: SizesReport["tables"][number]) => bytesText(heapBytes),
    INDEXES: ({ indexBytes }: SizesReport["tables"][number]) => bytesText(indexBytes),
    TOAST: ({ toastBytes }: SizesReport["tables"][number]) => bytesText(toastBytes),
    "PER 1000 PROJECTS": ({ bytesPerThousandProjects: bytes }: SizesReport["tables"][number]) =>
      bytes === null ? null : bytesText(bytes),
    ROWS: ({ rows }: SizesReport["tables"][number]) => rows,
    DEAD: ({ deadRows }: SizesReport["tables"][number]) => deadRows,
    UPDATES: ({ updates }: SizesReport["tables"][number]) => updates,
    HOT: ({ hotShare }: SizesReport["tables"][number]) => (hotShare === null ? null : `${Math.round(hotShare * 100)} %`)
  }
  return [tableText(columns, report.tables), "", ...summary(report)].join("\n")
}

const summary = ({ bytes, projects, bytesPerThousandProjects, growth, disk }: SizesReport): ReadonlyArray<string> => [
  `${bytesText(bytes)} in all, about ${projects} projects` +
    (bytesPerThousandProjects === null ? "" : `, ${bytesText(bytesPerThousandProjects)} per thousand`),
  growth === null
    ? "growth: unknown, since there is no project"
    : `growth: ${Number(growth.projectsPerDay.toPrecision(3))} projects and ${bytesText(growth.bytesPerDay)} a day, over the last ${Math.round(growth.days)} days`,
  disk === null
    ? "disk: give the free bytes of its file system with --free-bytes"
    : `disk: ${bytesText(disk.freeBytes)} free, ${disk.monthsUntilFull === null ? "and no growth" : `full in ${Number(disk.monthsUntilFull.toPrecision(2))} months`}`
]

const units = ["B", "kB", "MB", "GB", "TB"]

/** With three digits, in powers of 1000, as disks are sold and free space is reported. */
const bytesText = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`
}
