/** The files that a reader of `closure.md` has: a closure, its status, and the issuer's keys. */
import * as fs from "node:fs"
import * as path from "node:path"
import { makeClosure } from "../verifier/sample-closure.ts"

export const writeClosure = (folder: string): void => {
  const { file, statusFile, trust } = makeClosure()
  const files = { "transaction-records.json": file, "transaction-status.json": statusFile, "keys.json": trust }
  for (const [name, content] of Object.entries(files)) {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content, null, 2))
  }
}
