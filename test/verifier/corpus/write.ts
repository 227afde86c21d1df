/** `node test/verifier/corpus/write.ts`: writes the folder of cases, and removes obsolete ones. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cases } from "./all.ts"
import { contentsOf } from "./contents.ts"
import { caseNames, casesFolder, filesOf } from "./folder.ts"

mkdirSync(casesFolder, { recursive: true })
const names = new Set(cases.map(({ name }) => name))
for (const name of caseNames()) if (!names.has(name)) rmSync(join(casesFolder, name), { recursive: true })
for (const one of cases) {
  const folder = join(casesFolder, one.name)
  const files = filesOf(one)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name))
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
}
writeFileSync(join(casesFolder, "README.md"), contentsOf(cases))
process.stdout.write(`${cases.length} cases\n`)
