/** What `/proc` tells about a process. A zombie has an empty command line and counts as gone. */
import * as fs from "node:fs"

export const isAlive = (pid: number): boolean => commandLine(pid) !== ""

export const commandLine = (pid: number): string => {
  try {
    return Number.isSafeInteger(pid) && pid > 0 ? fs.readFileSync(`/proc/${pid}/cmdline`, "utf8") : ""
  } catch {
    return ""
  }
}

/** The living processes that work in a directory, as all of a Postgres do in that of its data. */
export const processesIn = (directory: string): ReadonlyArray<number> =>
  fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => isAlive(pid) && workingDirectory(pid) === directory)

const workingDirectory = (pid: number): string | undefined => linkOf(pid, "cwd")

/** The file of its program; with " (deleted)" where another one has the name by now. */
export const executable = (pid: number): string | undefined => linkOf(pid, "exe")

const linkOf = (pid: number, name: "cwd" | "exe"): string | undefined => {
  try {
    return fs.readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}
