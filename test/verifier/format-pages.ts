/** The pages that specify the formats and the checks. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8")

export const recordsPage = read("records.md")
export const portablePage = read("portable-records.md")

const wordsOf = (page: string): ReadonlySet<string> =>
  new Set(Array.from(page.matchAll(/`([A-Za-z_-]+)`/g), ([, word]) => word!))

/** The words of both pages that are set as code. */
export const codeWords: ReadonlySet<string> = new Set([...wordsOf(recordsPage), ...wordsOf(portablePage)])

/** The ids in the first column of the tables of checks. */
export const checkIds: ReadonlyArray<string> = [
  [recordsPage, "4.1 "],
  [portablePage, "3.1 "],
  [portablePage, "5.1 "],
  [portablePage, "7.1 "],
  [portablePage, "7.2 "],
  [portablePage, "7.3 "]
].flatMap(([page, number]) => {
  const section = page!.split(/^### /m).find((one) => one.startsWith(number!))!
  const cells = Array.from(section.matchAll(/^\| (`.*?) \|/gm), ([, cell]) => cell!)
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([a-z-]+)`/g), ([, id]) => id!))
})
