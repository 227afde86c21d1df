/** How the code is kept: who may import whom, and what only a Layer may give. Each message names the replacement. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"

const root = path.resolve(import.meta.dirname, "..")

const filesUnder = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(folder, name))
    .sort()

const sources = filesUnder("src").map((file) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") }))
const simulator = filesUnder("simulator").map((file) => ({
  file,
  text: fs.readFileSync(path.join(root, file), "utf8")
}))

/** The part of the service that a file belongs to: its folder in src, or the root files by their own name. */
const areaOf = (file: string): string => {
  const [, first = "", second] = file.split(path.sep)
  return second === undefined ? first.replace(/\.ts$/, "") : first
}

const importsOf = ({ file, text }: { readonly file: string; readonly text: string }) =>
  [...text.matchAll(/(?:from|import)\s+"(\.[^"]+)"/g)].map(([, target]) => ({
    file,
    target: path.normalize(path.join(path.dirname(file), target!))
  }))

const core = ["canonical", "vocabulary", "ports"]

/** Which part may import which. Data flows this way and never back. */
const arrows: { readonly [area: string]: ReadonlyArray<string> } = {
  canonical: [],
  vocabulary: ["canonical"],
  ports: ["vocabulary"],
  http: core,
  replay: core,
  administration: core,
  people: [...core, "http", "replay", "workspace-api"],
  access: [...core, "http", "replay", "people", "api", "workspace-api"],
  discovery: [...core, "http", "public-api"],
  projects: [...core, "http", "replay", "people", "access", "discovery", "api", "workspace-api"],
  proposals: [...core, "http", "replay", "people", "access", "projects", "discovery", "api", "workspace-api"],
  jobs: [...core, "http", "replay", "people", "access", "projects", "api"],
  drafts: [...core, "http", "replay", "people", "access", "projects", "proposals", "discovery", "api", "workspace-api"],
  webhooks: [...core, "http", "replay", "people", "access", "projects", "jobs", "api", "workspace-api"],
  records: [...core, "http", "replay", "people", "projects", "access", "api", "workspace-api"],
  participation: [...core, "http", "replay", "people", "access", "projects", "api", "workspace-api"],
  workspace: [
    ...core,
    "http",
    "replay",
    "people",
    "access",
    "discovery",
    "projects",
    "proposals",
    "webhooks",
    "drafts",
    "records",
    "participation"
  ],
  verifier: ["canonical"],
  migrations: [],
  tables: [
    "administration",
    "people",
    "access",
    "discovery",
    "projects",
    "proposals",
    "jobs",
    "webhooks",
    "drafts",
    "records",
    "replay",
    "participation"
  ],
  api: [...core, "http", "access", "projects", "proposals", "jobs", "webhooks", "drafts", "records", "participation"],
  "public-api": [...core, "http", "discovery"],
  "workspace-api": [
    ...core,
    "http",
    "people",
    "access",
    "projects",
    "proposals",
    "webhooks",
    "drafts",
    "records",
    "participation"
  ],
  service: [
    ...core,
    "http",
    "people",
    "access",
    "discovery",
    "projects",
    "proposals",
    "jobs",
    "webhooks",
    "drafts",
    "records",
    "participation",
    "workspace",
    "documents",
    "api",
    "public-api",
    "workspace-api"
  ],
  documents: [...core, "access", "projects", "api", "public-api", "workspace-api"],
  adapters: [...core, "migrations", "tables", "webhooks", "service"],
  "command-line": [
    ...core,
    "adapters",
    "administration",
    "http",
    "access",
    "discovery",
    "people",
    "projects",
    "records",
    "replay",
    "webhooks",
    "service"
  ],
  main: ["adapters", "command-line"]
}

describe("the parts of the service", () => {
  const imports = sources.flatMap(importsOf)

  it("import each other along the arrows of ARCHITECTURE.md only", () => {
    const against = imports.filter(({ file, target }) => {
      const from = areaOf(file)
      const to = areaOf(target)
      return from !== to && !(arrows[from] ?? []).includes(to)
    })
    assert.deepStrictEqual(
      against.map(({ file, target }) => `${file} imports ${target}: invert it once, as access/scope.ts does`),
      []
    )
  })

  it("reach another part through its operations or its noun, never its tables or handlers", () => {
    const against = imports.filter(({ file, target }) => {
      const crosses = areaOf(file) !== areaOf(target) && !["tables", "service"].includes(areaOf(file))
      return crosses && /\/(store|handlers)\.ts$/.test(target)
    })
    assert.deepStrictEqual(
      against.map(({ file, target }) => `${file} imports ${target}: ask for an operation of that part instead`),
      []
    )
  })

  it("do not know that they are simulated", () => {
    const against = imports.filter(({ target }) => target.startsWith("simulator") || target.startsWith("test"))
    assert.deepStrictEqual(against, [])
  })
})

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  readonly allowedIn: ReadonlyArray<string>
}

const bans: ReadonlyArray<Ban> = [
  { pattern: /\bDate\.now\(|\bnew Date\(\)/, instead: "now from vocabulary/instant.ts", allowedIn: [] },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom, or idSeed from vocabulary/ids.ts", allowedIn: [] },
  { pattern: /\brandomUUID\(/, instead: "idSeed from vocabulary/ids.ts", allowedIn: [] },
  { pattern: /\bset(Timeout|Interval|Immediate)\(/, instead: "Effect.sleep or a Schedule", allowedIn: [] },
  { pattern: /\b(now|clock_timestamp|gen_random_uuid)\(\)/, instead: "a parameter", allowedIn: ["adapters"] },
  {
    pattern: /from "node:/,
    instead: "a port with its adapter",
    allowedIn: ["adapters", "canonical", "verifier", "command-line"]
  },
  { pattern: /\bas (any|never)\b|@ts-(ignore|expect-error)/, instead: "the right type", allowedIn: [] },
  {
    pattern: /\bselect\s+[^"]*\bfrom\b|\binsert into\b/i,
    instead: "a table declaration",
    allowedIn: ["adapters", "migrations"]
  },
  { pattern: /^(export )?let\b/, instead: "a Ref in a Layer: a module keeps no state", allowedIn: [] }
]

describe("the code of the service", () => {
  it.each(bans)("does not use $pattern", ({ pattern, instead, allowedIn }) => {
    const found = sources
      .filter(({ file }) => !allowedIn.includes(areaOf(file)))
      .flatMap(({ file, text }) =>
        text.split("\n").flatMap((line, index) => {
          const isComment = /^\s*(\/\/|\*|\/\*)/.test(line)
          return !isComment && pattern.test(line) ? [`${file}:${index + 1} use ${instead}`] : []
        })
      )
    assert.deepStrictEqual(found, [])
  })

  it("says in its first lines what lives in each file", () => {
    const silent = [...sources, ...simulator].filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text))
    assert.deepStrictEqual(
      silent.map(({ file }) => `${file}: begin with a sentence on what lives here`),
      []
    )
  })
})

describe("the tests", () => {
  // The files of a run share a process and the modules in it.
  it("mock no module, and leave the process as it was", () => {
    const pattern = /\bvi\.(mock|doMock|stub\w+|useFakeTimers)\(|\bprocess\.(chdir|umask)\(/
    const found = filesUnder("test").flatMap((file) =>
      fs
        .readFileSync(path.join(root, file), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          pattern.test(line) ? [`${file}:${index + 1} give it by a Layer or an argument`] : []
        )
    )
    assert.deepStrictEqual(found, [])
  })
})
