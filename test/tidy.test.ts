/** How the code is kept: who may import whom, and what only a Layer may give. Each message names the replacement. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import mutationTests from "./mutation/vitest.config.ts"

const root = path.resolve(import.meta.dirname, "..")

const filesUnder = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(folder, name))
    .sort()

const filesOf = (folder: string) =>
  filesUnder(folder).map((file) => ({ file, text: fs.readFileSync(path.join(root, file), "utf8") }))

const sources = filesOf("src")
const simulator = filesOf("simulator")
const tools = filesOf("tools")

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

/** The parts that define endpoints and tables of their own. */
const nouns = [
  "people",
  "access",
  "discovery",
  "projects",
  "proposals",
  "jobs",
  "webhooks",
  "drafts",
  "records",
  "publications",
  "commerce",
  "closure",
  "participation"
]

/** Which part may import which. Each part names only parts above it in this list. */
const arrows: { readonly [area: string]: ReadonlyArray<string> } = {
  canonical: [],
  verifier: ["canonical"],
  // The scripts of pages: they run in browsers, and share no code with the service but that of the verifier.
  browser: ["canonical", "verifier"],
  migrations: [],
  vocabulary: ["canonical"],
  ports: ["vocabulary"],
  http: core,
  replay: core,
  pipeline: [...core, "replay"],
  administration: core,
  people: [...core, "http", "replay"],
  discovery: [...core, "http"],
  access: [...core, "http", "replay", "people"],
  projects: [...core, "http", "replay", "pipeline", "people", "access", "discovery"],
  proposals: [...core, "http", "replay", "pipeline", "people", "access", "projects", "discovery"],
  jobs: [...core, "http", "replay", "access", "projects"],
  drafts: [...core, "http", "replay", "people", "access", "projects", "discovery"],
  webhooks: [...core, "http", "replay", "people", "access", "projects", "jobs"],
  records: [...core, "http", "replay", "people", "access", "projects"],
  publications: [...core, "http", "replay", "pipeline", "people", "access", "projects", "records"],
  commerce: [...core, "http", "replay", "pipeline", "people", "access", "projects", "records"],
  closure: [
    ...core,
    "http",
    "replay",
    "pipeline",
    "people",
    "access",
    "projects",
    "records",
    "publications",
    "commerce"
  ],
  participation: [...core, "http", "replay", "people", "access", "projects"],
  // Reads the rows of every part, and no code of any: what it finds does not depend on what wrote them.
  integrity: ["vocabulary", "ports", ...nouns],
  "project-export": [...core, ...nouns],
  erasure: [...core, "administration", ...nouns],
  workspace: [
    ...core,
    "verifier",
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
    "publications",
    "commerce",
    "closure",
    "participation"
  ],
  tables: ["replay", "administration", ...nouns],
  api: [...core, "http", ...nouns],
  documents: [...core, "http", "access", "projects", "records", "publications", "commerce", "closure", "api"],
  handlers: [...core, "http", "replay", ...nouns, "api"],
  service: [
    ...core,
    "http",
    "people",
    "access",
    "projects",
    "proposals",
    "webhooks",
    "records",
    "participation",
    "workspace",
    "api",
    "documents",
    "handlers"
  ],
  adapters: [...core, "webhooks", "migrations", "tables", "service"],
  "command-line": [
    ...core,
    "http",
    "replay",
    "administration",
    "people",
    "discovery",
    "access",
    "projects",
    "webhooks",
    "records",
    "commerce",
    "integrity",
    "project-export",
    "erasure",
    "service",
    "adapters"
  ],
  main: ["command-line"]
}

/** The parts whose subject is the rows of every other part. */
const readsTables: ReadonlyArray<string> = ["tables", "integrity", "project-export", "erasure"]

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

  it("have arrows only to parts that stand before them in the list", () => {
    const areas = Object.keys(arrows)
    const against = areas.flatMap((from, index) =>
      arrows[from]!.filter((to) => !areas.slice(0, index).includes(to)).map((to) => `${from} may import ${to}`)
    )
    assert.deepStrictEqual(against, [])
  })

  it("reach another part through its operations or its noun, never its tables or handlers", () => {
    const against = imports.filter(({ file, target }) => {
      const [from, to] = [areaOf(file), areaOf(target)]
      if (from === to) return false
      return (to === "handlers" && from !== "service") || (target.endsWith("/store.ts") && !readsTables.includes(from))
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

/** The folders of the simulator. Each imports those before it, and none after it. */
const layers = [
  "vocabulary",
  "kernel",
  "payments",
  "child-processes",
  "clients",
  "observation",
  "view-model",
  "environment",
  "storage",
  "properties",
  "scenario",
  "coverage",
  "generation",
  "determinism",
  "reports",
  "search",
  "mutation",
  "serve",
  "examination",
  "causes",
  "mcp",
  "watching",
  "commands",
  "main"
]

describe("The parts of the simulator", () => {
  it("import only the layers below them", () => {
    const against = simulator.flatMap(importsOf).filter(({ file, target }) => {
      const [from, to] = [layers.indexOf(areaOf(file)), layers.indexOf(areaOf(target))]
      return target.startsWith("simulator") && (from === -1 || to === -1 || to > from)
    })
    assert.deepStrictEqual(
      against.map(({ file, target }) => `${file} imports ${target}: move what both need to a layer below`),
      []
    )
  })
})

describe("The folders", () => {
  it.each([
    ["src", sources],
    ["simulator", simulator]
  ] as const)("of %s import each other without a cycle, types included", (folder, files) => {
    const edges = new Map<string, Set<string>>()
    for (const { file, target } of files.flatMap(importsOf)) {
      const [from, to] = [areaOf(file), areaOf(target)]
      if (target.startsWith(folder) && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    const cycle = [...edges.keys()].map((area) => pathBetween(edges, area, area)).find((found) => found !== undefined)
    assert.isUndefined(cycle, `${cycle?.join(" imports ")}: move the shared type to the folder that both import`)
  })
})

/** The areas on the shortest way from one area to another, both included; undefined where no import leads there. */
const pathBetween = (
  edges: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string
): ReadonlyArray<string> | undefined => {
  const queue: Array<ReadonlyArray<string>> = [[from]]
  const visited = new Set<string>()
  for (const path of queue) {
    for (const next of edges.get(path.at(-1)!) ?? []) {
      if (next === to) return [...path, to]
      if (!visited.has(next)) queue.push([...path, next])
      visited.add(next)
    }
  }
  return undefined
}

describe("A file", () => {
  it("of the service or the simulator has at most 400 lines", () => {
    const long = [...sources, ...simulator].filter(({ text }) => text.split("\n").length > 401)
    assert.deepStrictEqual(
      long.map(({ file }) => `${file}: part it by subject`),
      []
    )
  })
})

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  readonly allowedIn: ReadonlyArray<string>
}

const bans: ReadonlyArray<Ban> = [
  { pattern: /\bDate\.now\(|\bnew Date\(\)/, instead: "now from vocabulary/instant.ts", allowedIn: ["browser"] },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom, or idSeed from vocabulary/ids.ts", allowedIn: [] },
  { pattern: /\brandomUUID\(/, instead: "idSeed from vocabulary/ids.ts", allowedIn: [] },
  { pattern: /\bset(Timeout|Interval|Immediate)\(/, instead: "Effect.sleep or a Schedule", allowedIn: [] },
  { pattern: /\b(now|clock_timestamp|gen_random_uuid)\(\)/, instead: "a parameter", allowedIn: ["adapters"] },
  {
    pattern: /from "node:/,
    instead: "a port with its adapter",
    allowedIn: ["adapters", "canonical", "verifier", "command-line", "integrity"]
  },
  { pattern: /\bas (any|never)\b|@ts-(ignore|expect-error)/, instead: "the right type", allowedIn: [] },
  {
    pattern: /\bselect\s+[^"]*\bfrom\b|\binsert into\b/i,
    instead: "a table declaration",
    allowedIn: ["adapters", "migrations"]
  },
  {
    pattern: /\bJSON\.parse\(/,
    instead: "parseCanonical or parseSigned for what this service stored, a strict reader for what arrives",
    allowedIn: ["canonical", "verifier", "ports", "documents", "integrity"]
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
    const silent = [...sources, ...simulator, ...tools].filter(({ text }) => !/^(#!.*\n)?\/\*\*/.test(text))
    assert.deepStrictEqual(
      silent.map(({ file }) => `${file}: begin with a sentence on what lives here`),
      []
    )
  })
})

describe("the tests", () => {
  it("Mutation testing names only files that exist", () => {
    const configuration = fs.readFileSync(path.join(root, "test/mutation/stryker.conf.json"), "utf8")
    const mutated = (JSON.parse(configuration) as { readonly mutate: ReadonlyArray<string> }).mutate.flatMap((glob) => {
      const [, before = glob, names = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? []
      return names.split(",").map((name) => `${before}${name}${after}`)
    })
    const tested = mutationTests.test?.include ?? []
    const missing = [...mutated, ...tested].filter((file) => fs.globSync(file, { cwd: root }).length === 0)
    assert.deepStrictEqual(missing, [])
  })

  // The files of a run share a process and the modules in it.
  it("mock no module, and leave the process as it was", () => {
    const pattern = /\bvi\.(mock|doMock|stub\w+|useFakeTimers)\(|\bprocess\.(chdir|umask)\(/
    assert.deepStrictEqual(linesWith(pattern, filesUnder("test"), "give it by a Layer or an argument"), [])
  })

  it("start programs only in files that `npm test` leaves to `npm run test:processes`", () => {
    const pattern = /from "node:child_process"$|\b(startServer|spawnCommand|spawnReading|spawnLauncher)\(/
    const inProcess = filesUnder("test").filter((file) => file.endsWith(".test.ts"))
    assert.deepStrictEqual(linesWith(pattern, inProcess, "name the file *.process.ts"), [])
  })
})

const linesWith = (pattern: RegExp, files: ReadonlyArray<string>, instead: string): ReadonlyArray<string> =>
  files.flatMap((file) =>
    fs
      .readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${instead}`] : []))
  )
