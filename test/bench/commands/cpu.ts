/** CPU time of processes, user and system, in milliseconds, as Linux reports it under `/proc`. */
import * as fs from "node:fs"

const millisecondsPerTick = 10

interface ProcessStat {
  readonly pid: number
  readonly parent: number
  /** Of all its threads. */
  readonly own: number
  /** Of its children that have ended. */
  readonly ended: number
}

/** Undefined for a process that has ended. */
const readStat = (pid: number): ProcessStat | undefined => {
  const text = readFile(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The name of the program, in parentheses, may contain spaces; the fields after it are numbered from 3.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const field = (number: number) => Number(fields[number - 3])
  return {
    pid,
    parent: field(4),
    own: (field(14) + field(15)) * millisecondsPerTick,
    ended: (field(16) + field(17)) * millisecondsPerTick
  }
}

const readFile = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/** The parent of a process. */
export const parentOf = (pid: number): number | undefined => readStat(pid)?.parent

/**
 * The CPU time of one process. A tick is longer than a backend of Postgres works in a round, so that live threads are
 * read in nanoseconds.
 */
export const cpuOfProcess = (pid: number): number => {
  const stat = readStat(pid)
  return stat === undefined ? 0 : cpuOfThreads(stat)
}

/** The CPU time of a process and of all its descendants. */
export const cpuOfTree = (root: number): number => {
  const pids = fs.readdirSync("/proc").map(Number).filter(Number.isInteger)
  const stats = new Map(pids.flatMap((pid) => readStat(pid) ?? []).map((stat) => [stat.pid, stat]))
  const isInTree = (pid: number): boolean => pid === root || (stats.has(pid) && isInTree(stats.get(pid)!.parent))
  let total = 0
  for (const stat of stats.values()) if (isInTree(stat.pid)) total += cpuOfThreads(stat) + stat.ended
  return total
}

/** In ticks where the kernel keeps no statistics of threads. */
const cpuOfThreads = ({ pid, own }: ProcessStat): number => {
  let total = 0
  try {
    for (const thread of fs.readdirSync(`/proc/${pid}/task`)) {
      total += Number(readFile(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ")[0] ?? 0) / 1e6
    }
  } catch {
    return own
  }
  return total === 0 ? own : total
}
