import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "vitest"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { passportReadme } from "../../src/publications/readme.ts"
import { passportZip } from "../../src/publications/zip.ts"

const passport = '{"schema":"service.result-passport/v1","title":"€"}'

/** What another process writes, in another time zone. */
const digestIn = (zone: string): string => {
  const script = `
    import { passportZip } from "./src/publications/zip.ts"
    import { sha256Hex } from "./src/canonical/digest.ts"
    process.stdout.write(sha256Hex(passportZip(${JSON.stringify(passport)})))`
  const options = ["--input-type=module-typescript", "--eval", script]
  return execFileSync(process.execPath, options, { encoding: "utf8", env: { ...process.env, TZ: zone } })
}

it("A ZIP file has the same bytes in every time zone and at every time.", () => {
  const digest = sha256Hex(passportZip(passport))
  assert.strictEqual(digest, "367270accbc0abdec69997f490b258ef6574e5a87413b37528f0416a03abe9b5")
  assert.deepStrictEqual(["Pacific/Kiritimati", "America/St_Johns"].map(digestIn), [digest, digest])
})

it("Python reads exactly two stored entries, passport.json and README.txt, from a ZIP file.", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "passport-"))
  const file = path.join(folder, "passport.zip")
  fs.writeFileSync(file, passportZip(passport))
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as opened:
    assert opened.testzip() is None
    print(json.dumps([[one.filename, one.compress_type, list(one.date_time), opened.read(one).decode("utf-8")] for one in opened.infolist()]))`
  const printed = execFileSync("python3", ["-c", script, file], { encoding: "utf8" })
  fs.rmSync(folder, { recursive: true })
  assert.deepStrictEqual(JSON.parse(printed), [
    ["passport.json", 0, [1980, 1, 1, 12, 0, 0], passport],
    ["README.txt", 0, [1980, 1, 1, 12, 0, 0], passportReadme]
  ])
})
