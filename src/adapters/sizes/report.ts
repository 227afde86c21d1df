/** What the database occupies, what a thousand projects take of it, and how long a disk lasts at the present growth. */

/** A table with its partitions. Rows are estimates of the last analysis; updates count from the last reset of statistics. */
export interface TableSize {
  readonly table: string
  readonly partitions: number
  readonly heapBytes: number
  readonly indexBytes: number
  readonly toastBytes: number
  readonly rows: number
  readonly deadRows: number
  readonly updates: number
  /** Updates that changed no index and found room on the page of their row. */
  readonly hotUpdates: number
}

/** Projects on sampled pages: all, and those created within the period. */
export interface CreationSample {
  readonly sampled: number
  readonly recent: number
  /** Days since the oldest of them was created. */
  readonly ageDays: number
}

export interface FreeSpace {
  readonly bytes: number
  readonly source: "FLAG" | "DATA_DIRECTORY"
}

export interface DatabaseSizes {
  readonly tables: ReadonlyArray<TableSize>
  readonly projects: number
  readonly creation: CreationSample
  /** The longest period over which growth is taken. */
  readonly periodDays: number
}

const daysOfMonth = 365.25 / 12

/** Growth is the bytes of a project, with everything that belongs to it, times the projects that a day creates. */
export const sizesReport = ({ tables, projects, creation, periodDays }: DatabaseSizes, free: FreeSpace | undefined) => {
  const perThousand = (bytes: number) => (projects === 0 ? null : Math.round((bytes / projects) * 1000))
  const sized = tables
    .map(({ table, partitions, heapBytes, indexBytes, toastBytes, rows, deadRows, updates, hotUpdates }) => {
      const bytes = heapBytes + indexBytes + toastBytes
      return {
        table,
        partitions,
        bytes,
        heapBytes,
        indexBytes,
        toastBytes,
        bytesPerThousandProjects: perThousand(bytes),
        rows,
        deadRows,
        updates,
        hotShare: updates === 0 ? null : hotUpdates / updates
      }
    })
    .toSorted((one, other) => other.bytes - one.bytes || (one.table < other.table ? -1 : 1))
  const bytes = sized.reduce((sum, table) => sum + table.bytes, 0)
  const growth = growthOf(bytes, projects, creation, periodDays)
  const bytesPerMonth = growth === null ? 0 : growth.bytesPerDay * daysOfMonth
  return {
    bytes,
    projects,
    bytesPerThousandProjects: perThousand(bytes),
    growth,
    disk:
      free === undefined
        ? null
        : {
            freeBytes: free.bytes,
            source: free.source,
            monthsUntilFull: bytesPerMonth > 0 ? free.bytes / bytesPerMonth : null
          },
    tables: sized
  }
}

export type SizesReport = ReturnType<typeof sizesReport>

/** Null where no project was sampled. An installation younger than the period grows over its own age. */
const growthOf = (
  bytes: number,
  projects: number,
  { sampled, recent, ageDays }: CreationSample,
  periodDays: number
) => {
  if (sampled === 0 || projects === 0) return null
  const days = Math.min(periodDays, Math.max(1, ageDays))
  const projectsPerDay = ((recent / sampled) * projects) / days
  return { days, projectsPerDay, bytesPerDay: (bytes / projects) * projectsPerDay }
}
