/** The package made by `npm pack` serves, simulates and verifies outside of this repository: one pack, one install. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
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

/** The environment of another project, without the variables that npm sets for this one. */
const elsewhere = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle)_|^npm_config_local_prefix$|^INIT_CWD$/.test(name)
  )
)
const withNode24 = { ...elsewhere, PATH: `${node24}:${elsewhere["PATH"]}` }

let folder: string
let tarball: string
/** The path of `countersign` that npx finds, and the packages that npx installed for it. */
let countersign: string
let packages: string

const run = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: "utf8" })
  return { status, stdout, stderr, output: stdout + stderr }
}

const runSuccessfully = (file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, cwd = folder): string => {
  const { status, stdout, output } = run(file, args, env, cwd)
  assert.strictEqual(status, 0, `${file} ${args.join(" ")}: ${output}`)
  return stdout
}

beforeAll(() => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-package-"))
  fs.chmodSync(place, 0o711)
  folder = path.join(place, "empty")
  fs.mkdirSync(folder, { mode: 0o711 })
  runSuccessfully("npm", ["pack", "--pack-destination", place], elsewhere, root)
  tarball = path.join(
    place,
    fs.readdirSync(place).find((name) => name.endsWith(".tgz"))!
  )
  // Without install scripts, the libraries of Postgres lack their links: the harder case.
  const npx = ["--yes", "--ignore-scripts", "--package", tarball, "--call", "command -v countersign"]
  countersign = runSuccessfully("npx", npx, withNode24).trim().split("\n").at(-1)!
  packages = path.dirname(path.dirname(countersign))
})

/** What `startServer` has started. */
const servers: Array<{ readonly server: ChildProcess; readonly dataDirectory: string }> = []

afterAll(() => {
  for (const { server, dataDirectory } of servers) {
    if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid!, "SIGKILL")
    killPostgres(dataDirectory)
  }
  fs.rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 20 })
  // npx caches the installation under the name of a tarball that no longer exists.
  if (packages.includes(`${path.sep}_npx${path.sep}`))
    fs.rmSync(path.dirname(packages), { recursive: true, force: true })
})

/** The only module that imports a package which is not installed with this one; a command loads it, and says so. */
const loadedOnDemand = path.join("simulator", "mcp", "server.js")

describe("the package", () => {
  it("The package is at most 3 MB.", () => {
    assert.isBelow(fs.statSync(tarball).size, 3_000_000)
  })

  it("The package contains every module that it imports, and no development tools.", () => {
    const dist = path.join(packages, "countersign", "dist")
    const missing = fs
      .readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js") && name !== loadedOnDemand)
      .flatMap((name) => {
        const file = path.join(dist, name)
        const text = fs.readFileSync(file, "utf8")
        return [...text.matchAll(/^(?:import |export [^"\n]* from |\} from )[^"\n]*"([^"\n]+)";?$/gm)]
          .map(([, imported]) => imported!)
          .filter((imported) => !isInstalled(file, imported))
          .map((imported) => `${name} imports ${imported}`)
      })
    assert.deepStrictEqual(missing, [])
    assert.isFalse(fs.existsSync(path.join(packages, "vitest")))
  })

  it("The installed countersign names the package that simulate mcp needs.", () => {
    const { status, output } = run(countersign, ["simulate", "mcp"], {
      ...withNode24,
      COUNTERSIGN_URL: "http://127.0.0.1:1"
    })
    assert.strictEqual(status, 2)
    assert.include(output, "simulate mcp needs the package @modelcontextprotocol/sdk")
  })

  it("The installed countersign lists its commands.", () => {
    const help = runSuccessfully(countersign, ["--help"], withNode24)
    assert.match(help, /serve[\s\S]*doctor[\s\S]*admin/)
    for (const program of ["simulate", "verify"]) assert.include(help, `countersign ${program} --help`)
  })

  it("The installed countersign runs its scenarios, also in separate processes.", () => {
    const script = path.join(packages, "countersign", "scenarios", "first-record/first-record/scenario.yaml")
    assert.match(runSuccessfully(countersign, ["simulate", "run", script], withNode24), /17 steps, as expected/)
    const mine = path.join(folder, "mine.yaml")
    fs.copyFileSync(script, mine)
    assert.match(runSuccessfully(countersign, ["simulate", "verify", mine], withNode24), /the same bytes/)
    const mutants = run(countersign, ["simulate", "mutants"], withNode24)
    assert.strictEqual(mutants.status, 2)
    assert.match(mutants.output, /run it in a checkout/)
  })

  it("The installed countersign verifies an artifact.", () => {
    const place = path.join(root, "test/verifier/cases/agreement/signed-here_ok")
    const { checkedAt } = JSON.parse(fs.readFileSync(path.join(place, "case.json"), "utf8")) as { checkedAt: string }
    const args = [path.join(place, "artifact.json"), path.join(place, "keys.json"), checkedAt]
    assert.match(runSuccessfully(countersign, ["verify", ...args], withNode24), /VERIFIED/)
  })

  it("The installed countersign serves in an empty folder until SIGTERM.", async () => {
    const { server, ended, origin, output } = await startServer(countersign, ["serve"], folder)
    assert.isTrue((await fetch(`${origin}/readyz`)).ok)
    const page = await fetch(`${origin}/workspace/sign-in`)
    assert.strictEqual(page.status, 200)
    assert.match(await page.text(), /Sign in/)
    assert.include(output(), `next           ${origin}/docs\n`)
    server.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null], output())
  })

  it("One line of npx serves in an empty folder until Ctrl-C, which stops its Postgres too.", async () => {
    const place = path.join(folder, "by-npx")
    fs.mkdirSync(place, { mode: 0o711 })
    const line = ["--yes", "--ignore-scripts", "--package", tarball, "countersign", "serve"]
    const { server, ended, origin, output } = await startServer("npx", line, place)
    assert.strictEqual((await fetch(`${origin}/readyz`)).status, 200)
    const postmaster = path.join(place, ".countersign/database/postgres-18/postmaster.pid")
    assert.isTrue(fs.existsSync(postmaster))
    // A terminal signals the whole group. The shell in which npx runs the program ends by the signal, once that has ended.
    process.kill(-server.pid!, "SIGINT")
    assert.deepStrictEqual(await ended, [null, "SIGINT"], output())
    assert.isFalse(fs.existsSync(postmaster))
  })

  it("The installed countersign names the required Node in one sentence, with an older Node and without any.", () => {
    for (const [version, expected] of [
      ["v20.20.2", /this is v20\.20\.2/],
      [undefined, /no node is on the PATH/]
    ] as const) {
      const { status, stdout, stderr } = run(countersign, ["serve"], { PATH: pathWithNode(version) })
      assert.match(stderr, /^countersign needs Node 24 or newer, and [^\n]+\n$/)
      assert.match(stderr, expected)
      assert.deepStrictEqual([status, stdout], [1, ""])
    }
  })
})

/** A server on a free port in a process group of its own, once it has printed how the first person signs in. */
const startServer = async (file: string, args: ReadonlyArray<string>, cwd: string) => {
  const PORT = String(await Effect.runPromise(freePort))
  const server = spawn(file, args, { cwd, env: { ...withNode24, PORT }, detached: true })
  servers.push({ server, dataDirectory: path.join(cwd, ".countersign") })
  const ended = once(server, "exit")
  let printed = ""
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk))
  while (!/sign in as {5}owner/.test(printed)) {
    assert.isNull(server.exitCode, printed)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { server, ended, origin: `http://127.0.0.1:${PORT}`, output: () => printed }
}

const isInstalled = (file: string, imported: string): boolean => {
  if (imported.startsWith("node:")) return true
  if (imported.startsWith(".")) return fs.existsSync(path.resolve(path.dirname(file), imported))
  return fs.existsSync(path.join(packages, ...imported.split("/").slice(0, imported.startsWith("@") ? 2 : 1)))
}

/** A folder with the commands that the launcher calls, and a `node` of this version that only reports it. */
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
