/** Process information from `/proc`. A zombie has an empty command line and counts as ended. */
import * as fs from "node:fs"

export const isAlive = (pid: number): boolean => commandLine(pid) !== ""

export const commandLine = (pid: number): string => {
  try {
    return Number.isSafeInteger(pid) && pid > 0 ? fs.readFileSync(`/proc/${pid}/cmdline`, "utf8") : ""
  } catch {
    return ""
  }
}

/** The live processes whose working directory is this one, as for all processes of a Postgres in its data directory. */
export const processesIn = (directory: string): ReadonlyArray<number> =>
  fs
    .readdirSync("/proc")
    .map(Number)
    .filter((pid) => isAlive(pid) && workingDirectory(pid) === directory)

const workingDirectory = (pid: number): string | undefined => linkOf(pid, "cwd")

/** The file of its program; ends in " (deleted)" where the file was replaced. */
export const executable = (pid: number): string | undefined => linkOf(pid, "exe")

const linkOf = (pid: number, name: "cwd" | "exe"): string | undefined => {
  try {
    return fs.readlinkSync(`/proc/${pid}/${name}`)
  } catch {
    return undefined
  }
}
