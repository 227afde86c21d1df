/** The shipped verifier: one reproducible file, small enough to store beside the records. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { printReport } from "../../src/verifier/report.ts"
import { printText } from "../../src/verifier/text.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { buildVerifier } from "./build-verifier.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, makeSample } from "./sample.ts"
import { makeClosure } from "./sample-closure.ts"
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

/** Runs the file in an empty folder, without permission to write, to start processes or to read outside its folder. */
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
  it("two builds of the verifier are byte-identical and have, rounded up to 4 KiB, 122,880 bytes", () => {
    const bytes = build("again.mjs")
    assert.isTrue(bytes.equals(readFileSync(join(folder, "verify-result.mjs"))))
    assert.strictEqual(Math.ceil(bytes.length / 4_096) * 4_096, 122_880)
  })

  it("the verifier loads only modules of Node without network access", () => {
    const text = readFileSync(join(folder, "verify-result.mjs"), "utf8")
    const named = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name)
    expect(named(/\bfrom\s*["'`]([^"'`]+)["'`]/g)).toEqual(["node:crypto"])
    const loaded = named(/\bgetBuiltinModule\b(?:\(["'`]([^"'`]+)["'`]\))?/g)
    expect(loaded.toSorted()).toEqual(["node:fs", "node:util"])
    expect(text).not.toMatch(/\bimport\s*\(|\brequire\s*\(|\bfetch\s*\(|\bWebSocket\b|\bEventSource\b/)
    expect(text).not.toMatch(new RegExp(`["'\`](?:node:)?(?:${builtinModules.filter(isForbidden).join("|")})["'\`]`))
  })

  it("the command loads no stream of a file, no socket and no comparison of objects", () => {
    const words = ["--import", reportLoadedModules, "verify-result.mjs", "artifact.json", "keys.json", checkedAt]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      timeout: 20_000,
      encoding: "utf8"
    })
    assert.strictEqual(status, 0)
    expect(stdout).toContain("VERIFIED_WITH_LIMITATIONS")
    const loaded = stderr.split("\n")
    expect(loaded).toContain("NativeModule crypto")
    const slow = ["internal/fs/streams", "internal/fs/sync_write_stream", "net", "tty", "internal/util/comparisons"]
    expect(loaded.filter((name) => slow.includes(name.replace("NativeModule ", "")))).toEqual([])
  })

  it("the verifier is a module of four functions, and runs as a command through a symbolic link", () => {
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

  it("the built verifier prints the same as its source, without write permission", () => {
    const files = { artifact: sample.bytes(sample.review), trust: sample.bytes(sample.trust), checkedAt }
    assert.strictEqual(run(), printReport(verifyResultFiles(files)))
    const report = verifyResultFiles({ ...files, authority: policy })
    assert.strictEqual(run("--authority=../policy.json", "--text"), printText(report))
    expect(readdirSync(join(folder, "empty"))).toEqual([])
  })
})

/** Artifacts of 8 MiB, mostly escapes, in every position where a text can be long. */
const escapes = (): ReadonlyArray<readonly [where: string, artifact: Uint8Array | string, exit: number]> => {
  const bytesMax = 8_388_608
  const unsigned = jcs({ ...sample.review, trust: "?" })
  const filled = (unit: string): string =>
    unsigned.replace("?", () => unit.repeat((bytesMax - unsigned.length) / unit.length))
  const passport = jcs({ schema: "service.result-passport/v1", manifest: "", statuses: ["?"], summaries: [] })
  const agreed = makeSample({ agreement: (agreement) => void (agreement["terms"].scope = "\n".repeat(3_100_000)) })
  const header = jcs({ alg: "EdDSA", kid: kid("RECORD"), typ: "service.result-record/v1" })
  const payload = `{"a":"${"中\\n".repeat(1_250_000)}"}`
  return [
    ["of two characters beside the record", filled("\\n"), 0],
    ["of six characters beside the record", filled("\\u4e2d"), 0],
    ["in a statement of a passport", passport.replace("?", "\\n".repeat(4_194_000)), 1],
    ["of six characters in a statement of a passport", passport.replace("?", "\\u4e2d".repeat(1_398_000)), 1],
    ["in the text of the file", `"${"\\n".repeat(bytesMax / 2 - 1)}"`, 1],
    ["in the agreement", agreed.bytes(agreed.review), 0],
    ["between wide characters in a signed payload", signBytes(header, payload, keys.RECORD.privateKey), 1]
  ]
}

describe("the memory for an artifact of 8 MiB of escapes", () => {
  it.each(escapes())(
    "an artifact with 8 MiB of escapes %s is verified in at most 150 MB of memory",
    (_, artifact, exit) => {
      writeFileSync(join(folder, "large.json"), artifact)
      const result = measureMemory("keys.json")
      assert.strictEqual(result.status, exit)
      assert.isAtMost(result.peakBytes, 150_000_000)
    }
  )
})

describe("the memory for the largest closure", () => {
  it("a closure of nearly 2 MiB with escapes in its agreement is verified in at most 150 MB of memory", () => {
    const { file, trust } = makeClosure({
      result: { agreement: (agreement) => void (agreement["terms"].scope = "\n".repeat(770_000)) }
    })
    const text = jcs(file)
    assert.isAtMost(text.length, 2_097_152)
    assert.isAbove(text.length, 2_000_000)
    writeFileSync(join(folder, "large.json"), text)
    writeFileSync(join(folder, "closure-keys.json"), jcs(trust))
    const result = measureMemory("closure-keys.json")
    assert.strictEqual(result.status, 0)
    assert.isAtMost(result.peakBytes, 150_000_000)
  })
})

/** Verifies the large file in a process of its own. */
const measureMemory = (keyFile: string) => {
  const words = ["--import", reportPeakMemory, "verify-result.mjs", "large.json", keyFile, checkedAt]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, timeout: 20_000, encoding: "utf8" })
  return { status, peakBytes: Number(stderr) * 1_024 }
}

/** Writes the peak resident memory in KiB. `maxRSS` would include that of the parent process. */
const reportPeakMemory = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs"
  process.on("exit", () => {
    process.stderr.write(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1])
  })
`)}`

/** Writes the modules of Node that the command loaded. */
const reportLoadedModules = `data:text/javascript,${encodeURIComponent(`
  const { writeSync } = process.getBuiltinModule("node:fs")
  const before = new Set(process.moduleLoadList)
  process.on("exit", () => writeSync(2, process.moduleLoadList.filter((name) => !before.has(name)).join("\\n")))
`)}`

const isForbidden = (name: string): boolean =>
  /^(?:net|tls|dgram|dns|http|https|http2|cluster|child_process|worker_threads|inspector|vm|module)(?:\/|$)/.test(name)
