/** The files that readers of `closure.md` and `lineage.md` have: a closure, its status, and the issuer's keys. */
import * as fs from "node:fs"
import * as path from "node:path"
import { makeClosure } from "../verifier/sample-closure.ts"

export const writeClosure = (folder: string): void => {
  const { file, statusFile, trust } = makeClosure()
  write(folder, { "transaction-records.json": file, "transaction-status.json": statusFile, "keys.json": trust })
}

export const writeClosureWithHistory = (folder: string): void => {
  const { file, trust } = makeClosure({ lineage: {} })
  write(folder, { "transaction-records-with-history.json": file, "keys.json": trust })
}

const write = (folder: string, files: Readonly<Record<string, unknown>>): void => {
  for (const [name, content] of Object.entries(files)) {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content, null, 2))
  }
}
