/** The words of the repository: names and titles use the terms of docs/glossary.md. Each message names the replacement. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"

const root = path.resolve(import.meta.dirname, "..")

const filesUnder = (folder: string, ending: RegExp): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name) && !name.includes("node_modules"))
    .map((name) => path.join(folder, name))
    .sort()

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const code = ["src", "simulator"].flatMap((folder) => filesUnder(folder, /\.ts$/))
const tests = filesUnder("test", /\.ts$/)
const pages = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", ...filesUnder("docs", /\.md$/)]

/** The glossary lists replaced names, and decisions and changes report what was called otherwise. */
const aboutFormerNames = ["docs/glossary.md", "CHANGELOG.md"]

interface Retired {
  /** Of a name, in lower case, words parted by single spaces. */
  readonly words: RegExp
  readonly instead: string
}

const retired: ReadonlyArray<Retired> = [
  {
    words: /\b(whoever|whomever|nobody|somebody|anybody|everybody)\b/,
    instead: "the caller, client, worker or tenant"
  },
  { words: /\bwish(es)?\b/, instead: "issuance request" },
  { words: /\bletters?\b/, instead: "e-mail" },
  { words: /\bbrakes?\b/, instead: "stop controls" },
  { words: /\bjourneys?\b/, instead: "scenario context" },
  { words: /\bstage\b/, instead: "simulation setup" },
  { words: /\bsurroundings\b/, instead: "environment" },
  { words: /\bmeanwhile\b/, instead: "interleaving hook, or the concurrent act by name" },
  { words: /\bturnstiles?\b/, instead: "scheduled mutex" },
  { words: /\bmishaps?\b/, instead: "fault" },
  { words: /\bstrangers?\b/, instead: "unrelated tenant, third party or unauthenticated client" },
  { words: /\bobstacles?\b/, instead: "guard" },
  { words: /\badmission\b/, instead: "precondition" },
  { words: /\bcompanions?\b/, instead: "transaction hook" },
  { words: /\bplanted bugs?\b/, instead: "mutant" },
  { words: /\bunnoticed\b/, instead: "vacuity, or lost response" },
  { words: /\bwhat passes\b/, instead: "transient error" },
  { words: /\bcame about|comes? about\b/, instead: "occurs" },
  { words: /\bhad again\b/, instead: "replay" },
  { words: /\bcircumstances?\b/, instead: "related facts" },
  { words: /\bspeakers?\b/, instead: "representative" },
  { words: /\bwhole\b(?= project| proposal)/, instead: "view" }
]

/** Type names that are participles, or have no meaning of their own. */
const participles =
  /^(Given|Seen|Sent|Told|Met|Made|Kept|Asked|Shown|Doing|Entered|Standing|Planned|Opened|Linked|Enclosed|Under|Stand|Found|Tried|Come)$/

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim()

const complaintsAbout = (name: string, where: string): ReadonlyArray<string> =>
  retired
    .filter(({ words }) => words.test(wordsOf(name)))
    .map(({ words, instead }) => `${where}: "${name}" has the retired word ${words.source}; write: ${instead}`)

describe("names", () => {
  it("No file has a retired word in its name", () => {
    const found = [...code, ...tests, ...filesUnder("docs", /./), ...filesUnder("scenarios", /./)].flatMap((file) =>
      complaintsAbout(file.replace(/\.\w+$/, ""), file)
    )
    assert.deepStrictEqual(found, [])
  })

  it("No exported symbol has a retired word or a participle as its name", () => {
    const exported = /^export (?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
    const found = [...code, ...tests].flatMap((file) =>
      [...read(file).matchAll(exported)].flatMap(([, name = ""]) => [
        ...complaintsAbout(name, file),
        ...(participles.test(name) ? [`${file}: ${name} is a participle; name the noun`] : [])
      ])
    )
    assert.deepStrictEqual(found, [])
  })

  it("No local, parameter or member of the code has a retired name", () => {
    const names = "came|dice|goesOn|stretch(?:es)?|noticedBy|takePlace|standings|rootIds|rootColumn|ownRoots|told"
    const declared = new RegExp(
      `(?:\\b(?:const|let|readonly|interface|type) |[#(,[{] ?)(${names})(?=[\\s:,;=?)}\\]])`,
      "g"
    )
    const found = code.flatMap((file) =>
      [...read(file).matchAll(declared)].map(
        ([, name]) => `${file}: ${name} is retired; use the term for what it holds`
      )
    )
    assert.deepStrictEqual(found, [])
  })

  it("No test title has a retired word", () => {
    const title = /\b(?:describe|it|test)(?:\.\w+)*(?:\([^()\n]*\))?\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g
    const found = tests.flatMap((file) =>
      [...read(file).matchAll(title)].flatMap(([, plain, template]) => complaintsAbout(plain ?? template ?? "", file))
    )
    assert.deepStrictEqual(found, [])
  })

  it("No heading of a page has a retired word", () => {
    const found = pages
      .filter((page) => !aboutFormerNames.includes(page))
      .flatMap((page) =>
        [...read(page).matchAll(/^#+ (.*)$/gm)].flatMap(([, name = ""]) => complaintsAbout(name, page))
      )
    assert.deepStrictEqual(found, [])
  })

  it("At most 60 lines of code and pages have an indefinite pronoun as a subject", () => {
    const texts = ["src", "simulator", "docs"].flatMap((folder) => filesUnder(folder, /\.(ts|md|json|yaml)$/))
    const lines = texts
      .filter((file) => !aboutFormerNames.includes(file))
      .flatMap((file) =>
        read(file)
          .split("\n")
          .flatMap((line, index) =>
            /\b([Ww]hoever|[Nn]obody|[Ss]omebody)\b/.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []
          )
      )
    assert.isAtMost(lines.length, 60, `name the caller, client, worker or tenant:\n${lines.join("\n")}`)
  })
})

describe("the glossary", () => {
  const defined = new Set(
    [...read("docs/glossary.md").matchAll(/^\| ([^|]+?) \|/gm)].flatMap(([, term = ""]) =>
      term.split(", ").map((one) => one.toLowerCase())
    )
  )

  it("Every term that ARCHITECTURE.md sets in italics is in docs/glossary.md", () => {
    const page = read("ARCHITECTURE.md")
      .replaceAll(/`[^`]*`/g, "")
      .replaceAll(/\n */g, " ")
    const used = [...page.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, term = ""]) => term.toLowerCase())
    assert.isAtLeast(used.length, 40)
    const singular = (term: string): string => term.replace(/ies$/, "y").replace(/s$/, "")
    const unknown = used.filter((term) => !defined.has(term) && !defined.has(singular(term)))
    assert.deepStrictEqual(unknown, [])
  })
})
