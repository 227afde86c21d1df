/** Restricted and hostile environments: minimal permissions, no network, other Node options, modified built-in objects. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { printReport } from "../../src/verifier/report.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { buildVerifier, bundle } from "./build-verifier.ts"
import { caseNames, casesFolder, readCase } from "./corpus/folder.ts"
import { checkedAt, makeSample } from "./sample.ts"

const sample = makeSample()
const files = { artifact: sample.bytes(sample.review), trust: sample.bytes(sample.trust) }
const expected = printReport(verifyResultFiles({ ...files, checkedAt }))
let folder: string
const place = (file: string): string => join(folder, file)
const commandLine = (): ReadonlyArray<string> => [
  place("verify-result.mjs"),
  place("artifact.json"),
  place("keys.json"),
  checkedAt
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-"))
  buildVerifier(place("verify-result.mjs"))
  bundle("test/verifier/verdicts.ts", place("verdicts.mjs"))
  mkdirSync(place("empty"))
  writeFileSync(place("artifact.json"), files.artifact)
  writeFileSync(place("keys.json"), files.trust)
  for (const [name, text] of Object.entries({ ...refused, ...unread, attempts }))
    writeFileSync(place(`${name}.mjs`), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string, words: ReadonlyArray<string>, environment = {}) => {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: place("empty"),
    env: { ...process.env, ...environment },
    timeout: 30_000,
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}
const verified = () => ({ status: 0, stdout: expected, stderr: "" })

/** Attempts of a program to do more than read its files and print. */
const attempts = `
import { writeFileSync, readFileSync } from "node:fs"
import { spawnSync } from "node:child_process"
import { Worker } from "node:worker_threads"
const attempts = {
  write: () => writeFileSync("written", ""),
  read: () => readFileSync("/etc/hostname"),
  "child process": () => { const { error } = spawnSync("true"); if (error) throw error },
  worker: () => new Worker("0", { eval: true }),
  addon: () => process.dlopen({ exports: {} }, "/absent.node")
}
for (const [what, attempt] of Object.entries(attempts)) {
  try { attempt(); console.log(what, "done") } catch (refused) { console.log(what, refused.code) }
}
`

describe("minimal permissions", () => {
  const readable = (...names: ReadonlyArray<string>): ReadonlyArray<string> => [
    "--permission",
    ...names.map((name) => `--allow-fs-read=${place(name)}`)
  ]

  it("the verifier runs with permission to read three files, which allows no other access", () => {
    const rights = readable("verify-result.mjs", "artifact.json", "keys.json")
    expect(run(process.execPath, [...rights, ...commandLine()])).toEqual(verified())
    expect(readdirSync(place("empty"))).toEqual([])
    const { stdout } = run(process.execPath, [...readable("attempts.mjs"), place("attempts.mjs")])
    const denied = "ERR_ACCESS_DENIED"
    expect(stdout.trim().split("\n")).toEqual([
      `write ${denied}`,
      `read ${denied}`,
      `child process ${denied}`,
      `worker ${denied}`,
      "addon ERR_DLOPEN_DISABLED"
    ])
  })

  it("the verifier reports which file it is not permitted to read", () => {
    const { status, stdout, stderr } = run(process.execPath, [
      ...readable("verify-result.mjs", "artifact.json"),
      ...commandLine()
    ])
    expect([status, stdout, stderr]).toEqual([2, "", "INPUT_FILE: the key file cannot be opened\n"])
  })
})

/** Some containers forbid a new namespace; there the network cannot be removed. */
const cannotUnshare = spawnSync("unshare", ["-rn", "true"], { timeout: 20_000 }).status !== 0

describe("a machine without a network", () => {
  it.skipIf(cannotUnshare)(
    "the verifier prints the same in a namespace without a network interface (needs unshare -rn)",
    () => {
      const node = process.execPath
      const interfaces = run("unshare", ["-rn", node, "-p", "Object.keys(os.networkInterfaces()).length"])
      assert.strictEqual(interfaces.stdout, "0\n")
      expect(run("unshare", ["-rn", node, ...commandLine()])).toEqual(verified())
    }
  )
})

describe("options of Node", () => {
  it.each([
    "--frozen-intrinsics --no-warnings",
    "--disable-proto=delete",
    "--disable-proto=throw",
    "--no-addons --jitless --no-warnings",
    "--stack-trace-limit=0",
    "--max-old-space-size=64",
    "--throw-deprecation --enable-source-maps",
    "--icu-data-dir=/absent"
  ])("NODE_OPTIONS=%s does not change the report, or Node does not start", (options) => {
    const outcome = run(process.execPath, commandLine(), {
      NODE_OPTIONS: options,
      TZ: "Asia/Tokyo",
      LC_ALL: "tr_TR.UTF-8"
    })
    if (outcome.status === 0) expect(outcome.stdout).toEqual(expected)
    else expect(outcome.stdout).toEqual("")
  })
})

/**
 * Changes to shared prototypes before the verifier is loaded (prototype pollution): members that every object inherits, as
 * a careless merge of hostile JSON adds them. The verifier refuses every file under these. Replaced functions are out of
 * scope, since they control the output in any case.
 */
const refused = {
  "inherited-members": `
    for (const name of ["status", "trust", "record", "ok", "known", "code", "at", "expected", "actual", "because",
      "value", "schema", "jwk", "kid", "length", "bytesMax", "depthMax", "valuesMax", "refusesNul", "extra"])
      Object.prototype[name] = "inherited"`,
  "inherited-numbers": `for (const name of ["depthMax", "bytesMax", "valuesMax"]) Object.prototype[name] = 1e9`,
  "inherited-accessors": `
    for (const name of ["status", "trust", "record", "code", "at", "successor"])
      Object.defineProperty(Object.prototype, name, { get: () => "inherited", set() {}, enumerable: true })`,
  "inherited-descriptor": `Object.assign(Object.prototype, { get: () => 1, writable: true })`,
  "inherited-toJSON": `Object.prototype.toJSON = () => ({ verdict: "VERIFIED_WITH_LIMITATIONS" })`,
  "members-of-lists": `Array.prototype.extra = "inherited"; Array.prototype[0] = "inherited"`
}

/** The verdicts do not change under these. */
const unread = {
  "members-of-texts": `Object.assign(String.prototype, { extra: "inherited", schema: "inherited", kid: "inherited" })`,
  "hidden-numbers": `
    for (const name of ["depthMax", "bytesMax", "valuesMax"])
      Object.defineProperty(Object.prototype, name, { value: 1e9, writable: true })`
}

describe("prototype pollution", () => {
  /** One case that verifies, and refusals with different codes, including depth. */
  const names = selectedCases()
  /** A module adds the members directly before the verifier is loaded, because Node's own startup reads them too. */
  const linesUnder = (change: string): ReadonlyArray<string> => {
    const entry = place(`beside-${change}.mjs`)
    writeFileSync(entry, `import "./${change}.mjs"\nimport "./verdicts.mjs"\n`)
    const { status, stdout, stderr } = run(process.execPath, [entry, casesFolder, ...names])
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    return stdout.trimEnd().split("\n")
  }

  it("the selection has one case that verifies and ten that do not", () => {
    expect(names.map((name) => readCase(name).expected.verdict === "VERIFIED_WITH_LIMITATIONS")).toEqual([
      true,
      ...Array.from({ length: 10 }, () => false)
    ])
  })

  it.each(Object.keys(refused))("with %s, the verifier refuses every file with USAGE", (change) => {
    expect(linesUnder(change)).toEqual(names.map((name) => `${name} UNREADABLE checked-at USAGE`))
  })

  it.each(Object.keys(unread))("with %s, the verdicts do not change", (change) => {
    const expected = names.map((name) => {
      const { verdict, first } = readCase(name).expected
      return [name, verdict, ...(first === null ? [] : [first.check, first.code])].join(" ")
    })
    expect(linesUnder(change)).toEqual(expected)
  })
})

function selectedCases(): ReadonlyArray<string> {
  const cases = caseNames().map(readCase)
  const ok = cases.find(({ expected }) => expected.first === null)!
  const deep = cases.filter(({ expected }) => expected.verdict !== "VERIFIED_WITH_LIMITATIONS" && isDeep(expected))
  const others = new Map(
    cases
      .filter(({ expected }) => expected.verdict === "REFUSED")
      .map((one) => [one.expected.first!.code, one] as const)
  )
  return [ok, ...[...deep, ...others.values()].slice(0, 10)].map(({ name }) => name)
}

function isDeep({ first }: { readonly first: { readonly code: string } | null }): boolean {
  return first?.code === "LIMIT_DEPTH"
}
