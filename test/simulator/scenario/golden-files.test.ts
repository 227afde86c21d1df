/** Which golden files a script has to have beside it. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, it } from "vitest"
import { missingGoldenFiles } from "../../../simulator/scenario/files.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-golden-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const write = (...names: ReadonlyArray<string>): void => {
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), "")
  }
}

const missing = (name: string): ReadonlyArray<string> =>
  missingGoldenFiles(path.join(folder, name)).map((file) => path.relative(folder, file))

it("Golden files are optional where no neighbour has any", () => {
  write("new/one/scenario.yaml", "new/two/scenario.yaml", "single/a.yaml", "single/b.yaml")
  assert.deepStrictEqual([missing("new/one/scenario.yaml"), missing("single/a.yaml")], [[], []])
})

it("A scenario in a folder of its own needs both golden files if a scenario in a folder beside it has them", () => {
  write("races/one/scenario.yaml", "races/one/story.txt", "races/one/trace.ndjson", "races/two/scenario.yaml")
  assert.deepStrictEqual(missing("races/one/scenario.yaml"), [])
  assert.deepStrictEqual(missing("races/two/scenario.yaml"), ["races/two/trace.ndjson", "races/two/story.txt"])
})

it("Any other script needs both golden files if a script in its folder has them", () => {
  write("flat/a.yaml", "flat/a.txt", "flat/a.trace.ndjson", "flat/b.yaml")
  assert.deepStrictEqual(missing("flat/b.yaml"), ["flat/b.trace.ndjson", "flat/b.txt"])
})

it("A script with one golden file needs the other one", () => {
  write("half/a/scenario.yaml", "half/a/story.txt")
  assert.deepStrictEqual(missing("half/a/scenario.yaml"), ["half/a/trace.ndjson"])
})
