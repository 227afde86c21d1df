/** The variables in the table of the operating page. */
import * as fs from "node:fs"
import * as path from "node:path"

const page = fs.readFileSync(path.resolve(import.meta.dirname, "../../docs/operating/running.md"), "utf8")

/** Other sections have tables of states and metrics. */
const [, section = ""] = /^## Variables$(.*?)^## /ms.exec(page) ?? []

/** The names in the first column of each row. */
export const documentedVariables: ReadonlyArray<string> = section
  .split("\n")
  .flatMap((line) => /^\| ((`[A-Z][A-Z_]*`(, )?)+) \|/.exec(line)?.[1] ?? [])
  .flatMap((column) => [...column.matchAll(/`([A-Z_]+)`/g)].flatMap(([, name]) => name ?? []))
