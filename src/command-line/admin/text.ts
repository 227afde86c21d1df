/** Text for a terminal: content written by people and agents stays on its line and cannot imitate output. */
import { invisibleCharacters, codePointHex, codePointName } from "../../canonical/visible-characters.ts"

/** JSON in which invisible characters are escaped. */
export const jsonText = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(invisibleCharacters, (mark) =>
    mark === "\n"
      ? mark
      : [...Array(mark.length).keys()].map((index) => `\\u${codePointHex(mark.charCodeAt(index))}`).join("")
  )

/** One value in one cell. */
const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value)
  return text.replace(invisibleCharacters, (mark) => `<${codePointName(mark)}>`)
}

const cellMost = 60

const cut = (text: string): string => {
  const characters = [...text]
  return characters.length > cellMost ? `${characters.slice(0, cellMost - 1).join("")}…` : text
}

/** The columns of a list, by their names. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

/** A header and one line per item. Ids are never cut, since the next command takes them. */
export const tableText = <Item>(columns: Columns<Item>, items: ReadonlyArray<Item>): string => {
  const lines = [
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((valueOf) => cut(cellText(valueOf(item)))))
  ]
  const widths = Object.keys(columns).map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** One line per member: its name, and its full value. */
export const fieldsText = (item: object): string => {
  const entries = Object.entries(item)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join("\n")
}
