/** The shipped verifier: one file that anyone can build again, small enough to keep beside the records. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { printReport } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { buildVerifier } from "./built.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { jcs, keys, kid, signBytes } from "./signing.ts"

const sample = makeSample()
const policy = sample.bytes(policyFor(sample.package))
let folder: string

const build = (file: string): Buffer => buildVerifier(join(folder, file))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"))
  build("verify-result.mjs")
  mkdirSync(join(folder, "empty"))
  writeFileSync(join(folder, "artifact.json"), sample.bytes(sample.review))
  writeFileSync(join(folder, "keys.json"), sample.bytes(sample.trust))
  writeFileSync(join(folder, "policy.json"), policy)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The file alone, in a folder of its own, without the rights to write, to start processes or to read anything else. */
const run = (...words: ReadonlyArray<string>): string =>
  execFileSync(
    process.execPath,
    [
      "--permission",
      `--allow-fs-read=${folder}`,
      "../verify-result.mjs",
      "../artifact.json",
      "../keys.json",
      checkedAt,
      ...words
    ],
    { cwd: join(folder, "empty"), timeout: 20_000, encoding: "utf8" }
  )

describe("the one-file verifier", () => {
  it("is the same bytes from every build, 69,632 at most", () => {
    const bytes = build("again.mjs")
    assert.isTrue(bytes.equals(readFileSync(join(folder, "verify-result.mjs"))))
    assert.isAtMost(bytes.length, 69_632)
  })

  it("imports nothing but parts of Node that reach no network", () => {
    const text = readFileSync(join(folder, "verify-result.mjs"), "utf8")
    const imported = Array.from(text.matchAll(/\bfrom\s*["'`]([^"'`]+)["'`]/g), ([, name]) => name)
    expect(imported.toSorted()).toEqual(["node:crypto", "node:fs", "node:util"])
    expect(text).not.toMatch(
      /\bimport\s*\(|\brequire\s*\(|\bgetBuiltinModule\b|\bfetch\s*\(|\bWebSocket\b|\bEventSource\b/
    )
    expect(text).not.toMatch(new RegExp(`["'\`](?:node:)?(?:${builtinModules.filter(reachesOut).join("|")})["'\`]`))
  })

  it("is a module of four functions, and runs as the command through a link", () => {
    const node = (...words: ReadonlyArray<string>): string =>
      execFileSync(process.execPath, words, { cwd: folder, timeout: 20_000, encoding: "utf8" })
    const program = `console.log(JSON.stringify(Object.entries(await import("./verify-result.mjs"))
      .map(([name, value]) => [name, typeof value])), process.exitCode)`
    const functions = ["printReport", "printText", "verifyResultArtifact", "verifyResultFiles"]
    const expected = JSON.stringify(functions.map((name) => [name, "function"]))
    assert.strictEqual(node("--input-type=module", "--eval", program), `${expected} undefined\n`)
    symlinkSync("verify-result.mjs", join(folder, "link.mjs"))
    const files = { artifact: sample.bytes(sample.review), trust: sample.bytes(sample.trust), checkedAt }
    const words = ["artifact.json", "keys.json", checkedAt]
    for (const link of [["link.mjs"], ["--preserve-symlinks-main", "link.mjs"]]) {
      assert.strictEqual(node(...link, ...words), printReport(verifyResultFiles(files)))
    }
  })

  it("prints in an empty folder, with no right to write, what its source prints", () => {
    const files = { artifact: sample.bytes(sample.review), trust: sample.bytes(sample.trust), checkedAt }
    assert.strictEqual(run(), printReport(verifyResultFiles(files)))
    const report = verifyResultFiles({ ...files, authority: policy })
    assert.strictEqual(run("--authority=../policy.json", "--text"), printText(report))
    expect(readdirSync(join(folder, "empty"))).toEqual([])
  })
})

/** 8 MiB, most of it escapes, at every place where a text can be long. */
const escapes = (): ReadonlyArray<readonly [where: string, artifact: Uint8Array | string, exit: number]> => {
  const bytesMax = 8_388_608
  const unsigned = jcs({ ...sample.review, trust: "?" })
  const filled = (unit: string): string =>
    unsigned.replace("?", () => unit.repeat((bytesMax - unsigned.length) / unit.length))
  const agreed = makeSample({ agreement: (agreement) => void (agreement["terms"].scope = "\n".repeat(3_100_000)) })
  const header = jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: "service.result-record/v1" })
  const payload = `{"a":"${"中\\n".repeat(1_250_000)}"}`
  return [
    ["of two characters beside the record", filled("\\n"), 0],
    ["of six characters beside the record", filled("\\u4e2d"), 0],
    ["in the text of the file", `"${"\\n".repeat(bytesMax / 2 - 1)}"`, 1],
    ["in the agreement", agreed.bytes(agreed.review), 0],
    ["between wide characters in a signed payload", signBytes(header, payload, keys.RECORD.privateKey), 1]
  ]
}

describe("an artifact of 8 MiB of escapes", () => {
  it.each(escapes())("%s is verified in at most 150 MB of memory", (_, artifact, exit) => {
    writeFileSync(join(folder, "large.json"), artifact)
    const words = ["--import", tellsMemory, "verify-result.mjs", "large.json", "keys.json", checkedAt]
    const told = spawnSync(process.execPath, words, { cwd: folder, timeout: 20_000, encoding: "utf8" })
    assert.strictEqual(told.status, exit)
    assert.isAtMost(Number(told.stderr) * 1_024, 150_000_000)
  })
})

/** Writes the most that was resident, in KiB. `maxRSS` would begin with what this process has, which started it. */
const tellsMemory = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs"
  process.on("exit", () => {
    process.stderr.write(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1])
  })
`)}`

const reachesOut = (name: string): boolean =>
  /^(?:net|tls|dgram|dns|http|https|http2|cluster|child_process|worker_threads|inspector|vm|module)(?:\/|$)/.test(name)
