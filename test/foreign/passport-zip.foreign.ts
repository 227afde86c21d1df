/** The ZIP file of a passport, read by unzip and by Python. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import { passportReadme } from "../../src/publications/readme.ts"
import { passportZip } from "../../src/publications/zip.ts"

const passport = '{"schema":"service.result-passport/v1","title":"€"}'

let folder = ""
let file = ""
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "passport-"))
  file = path.join(folder, "passport.zip")
  fs.writeFileSync(file, passportZip(passport))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

it("Python reads exactly two stored entries, passport.json and README.txt, from a ZIP file.", () => {
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as opened:
    assert opened.testzip() is None
    print(json.dumps([[one.filename, one.compress_type, list(one.date_time), opened.read(one).decode("utf-8")] for one in opened.infolist()]))`
  const printed = execFileSync("python3", ["-c", script, file], { encoding: "utf8" })
  assert.deepStrictEqual(JSON.parse(printed), [
    ["passport.json", 0, [1980, 1, 1, 12, 0, 0], passport],
    ["README.txt", 0, [1980, 1, 1, 12, 0, 0], passportReadme]
  ])
})

it("unzip finds no error in the ZIP file of a passport.", () => {
  const printed = execFileSync("unzip", ["-t", file], { encoding: "utf8" })
  assert.match(printed, /passport\.json +OK\n.*README\.txt +OK\n.*No errors detected/)
})
