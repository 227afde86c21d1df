/** The links of the Markdown pages lead to files and headings that exist. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"

const root = path.resolve(import.meta.dirname, "../..")

const pagesUnder = (folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => path.join(folder, name))

const pages = [
  ...fs.readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "clients", "examples", "scenarios"].flatMap(pagesUnder)
]

/** The text of a page without its blocks of code. */
const proseOf = (page: string): string =>
  fs.readFileSync(path.join(root, page), "utf8").replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")

/** The ids that GitHub gives to the headings of a page. */
const headingIds = (page: string): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    const id = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")
    const earlier = counts.get(id) ?? 0
    counts.set(id, earlier + 1)
    return earlier === 0 ? id : `${id}-${earlier}`
  })
}

const problemOf = (page: string, link: string): string | undefined => {
  const [file = "", id] = link.split("#")
  const target = file === "" ? page : path.join(path.dirname(page), file)
  if (!fs.existsSync(path.join(root, target))) return `${page}: ${link}: no such file`
  if (id === undefined || !target.endsWith(".md") || headingIds(target).includes(id)) return undefined
  return `${page}: ${link}: no such heading`
}

it("Every link of a page to a file or a heading of this repository has a target.", () => {
  const problems = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].flatMap(([, link = ""]) => problemOf(page, link) ?? [])
  )
  assert.deepStrictEqual(problems, [])
})
