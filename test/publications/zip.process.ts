import { execFileSync } from "node:child_process"
import { assert, it } from "vitest"
import { sha256Hex } from "../../src/canonical/digest.ts"
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
  assert.strictEqual(digest, "a7045988e2c0b42a7337e7cb1ca7d135e9d831870cf7f42dc764080020c9c957")
  assert.deepStrictEqual(["Pacific/Kiritimati", "America/St_Johns"].map(digestIn), [digest, digest])
})
