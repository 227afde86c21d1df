/** What `npm pack` makes serves, simulates and verifies where nothing else of this project is: one pack, one install. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { killPostgres } from "../support/installation.ts"
import { freePort, node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const node24 = path.dirname(fs.realpathSync(node))

/** The environment of a person in another project: what npm tells its scripts about this one is left out. */
const elsewhere = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle)_|^npm_config_local_prefix$|^INIT_CWD$/.test(name)
  )
)
const withNode24 = { ...elsewhere, PATH: `${node24}:${elsewhere["PATH"]}` }

let folder: string
let tarball: string
/** `countersign` as npx finds it, and the packages that npx installed for it. */
let countersign: string
let packages: string

const run = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: "utf8" })
  return { status, stdout, stderr, output: stdout + stderr }
}

const runDone = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, cwd = folder): string => {
  const { status, stdout, output } = run(file, args, env, cwd)
  assert.strictEqual(status, 0, `${file} ${args.join(" ")}: ${output}`)
  return stdout
}

beforeAll(() => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-package-"))
  fs.chmodSync(place, 0o711)
  folder = path.join(place, "empty")
  fs.mkdirSync(folder, { mode: 0o711 })
  runDone("npm", ["pack", "--pack-destination", place], elsewhere, root)
  tarball = path.join(
    place,
    fs.readdirSync(place).find((name) => name.endsWith(".tgz"))!
  )
  // Where install scripts do not run, the libraries of Postgres lack their links: the harder case.
  const npx = ["--yes", "--ignore-scripts", "--package", tarball, "--call", "command -v countersign"]
  countersign = runDone("npx", npx, withNode24).trim().split("\n").at(-1)!
  packages = path.dirname(path.dirname(countersign))
})

afterAll(() => {
  killPostgres(path.join(folder, ".countersign"))
  fs.rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 20 })
  // npx keeps what it installed under the name of a tarball that is gone.
  if (packages.includes(`${path.sep}_npx${path.sep}`))
    fs.rmSync(path.dirname(packages), { recursive: true, force: true })
})

describe("the package", () => {
  it("is at most 2 MB", () => {
    assert.isBelow(fs.statSync(tarball).size, 2_000_000)
  })

  it("holds every program that its own imports name, without the tools of development", () => {
    const dist = path.join(packages, "countersign", "dist")
    const missing = fs
      .readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .flatMap((name) => {
        const file = path.join(dist, name)
        const text = fs.readFileSync(file, "utf8")
        return [...text.matchAll(/^(?:import |export [^"\n]* from |\} from )[^"\n]*"([^"\n]+)";?$/gm)]
          .map(([, imported]) => imported!)
          .filter((imported) => !isThere(file, imported))
          .map((imported) => `${name} imports ${imported}`)
      })
    assert.deepStrictEqual(missing, [])
    assert.isFalse(fs.existsSync(path.join(packages, "vitest")))
  })

  it("tells its commands", () => {
    assert.match(runDone(countersign, ["--help"], withNode24), /serve[\s\S]*doctor[\s\S]*admin/)
  })

  it("simulates the scenarios that it brings, also in processes of their own", () => {
    const script = path.join(packages, "countersign", "scenarios", "01-first-record.yaml")
    assert.match(runDone(countersign, ["simulate", "run", script], withNode24), /17 steps, as expected/)
    const mine = path.join(folder, "mine.yaml")
    fs.copyFileSync(script, mine)
    assert.match(runDone(countersign, ["simulate", "verify", mine], withNode24), /the same bytes/)
    const mutants = run(countersign, ["simulate", "mutants"], withNode24)
    assert.strictEqual(mutants.status, 2)
    assert.match(mutants.output, /run it in a checkout/)
  })

  it("verifies an artifact", () => {
    const place = path.join(root, "test/verifier/cases/agreement/signed-here_ok")
    const { checkedAt } = JSON.parse(fs.readFileSync(path.join(place, "case.json"), "utf8")) as { checkedAt: string }
    const args = [path.join(place, "artifact.json"), path.join(place, "keys.json"), checkedAt]
    assert.match(runDone(countersign, ["verify", ...args], withNode24), /VERIFIED/)
  })

  it("serves in an empty folder until SIGTERM", async () => {
    const PORT = String(await Effect.runPromise(freePort))
    const server = spawn(countersign, ["serve"], { cwd: folder, env: { ...withNode24, PORT } })
    const ended = once(server, "exit")
    let output = ""
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
    const origin = `http://127.0.0.1:${PORT}`
    while (!/sign in as {5}owner/.test(output)) {
      assert.isNull(server.exitCode, output)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.isTrue((await fetch(`${origin}/readyz`)).ok)
    const page = await fetch(`${origin}/workspace/sign-in`)
    assert.strictEqual(page.status, 200)
    assert.match(await page.text(), /Sign in/)
    server.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null], output)
  })

  it("says in one sentence which Node it needs, on an older one and where there is none", () => {
    for (const [version, told] of [
      ["v20.20.2", /this is v20\.20\.2/],
      [undefined, /no node is on the PATH/]
    ] as const) {
      const { status, stdout, stderr } = run(countersign, ["serve"], { PATH: pathWithNode(version) })
      assert.match(stderr, /^countersign needs Node 24 or newer, and [^\n]+\n$/)
      assert.match(stderr, told)
      assert.deepStrictEqual([status, stdout], [1, ""])
    }
  })
})

const isThere = (file: string, imported: string): boolean => {
  if (imported.startsWith("node:")) return true
  if (imported.startsWith(".")) return fs.existsSync(path.resolve(path.dirname(file), imported))
  return fs.existsSync(path.join(packages, ...imported.split("/").slice(0, imported.startsWith("@") ? 2 : 1)))
}

/** A folder with what the launcher calls and nothing else, but for a `node` of this version that can do no more. */
const pathWithNode = (version: string | undefined): string => {
  const place = fs.mkdtempSync(path.join(folder, "bin-"))
  for (const tool of ["sh", "readlink", "dirname"]) {
    const found = elsewhere["PATH"]!.split(":")
      .map((one) => path.join(one, tool))
      .find((one) => fs.existsSync(one))
    fs.symlinkSync(found!, path.join(place, tool))
  }
  if (version !== undefined) {
    fs.writeFileSync(path.join(place, "node"), `#!/bin/sh\n[ "$*" = --version ] && echo ${version}\n`, { mode: 0o755 })
  }
  return place
}
