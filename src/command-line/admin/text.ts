/** Text for a terminal: what people and agents wrote stays on its line and forges nothing. */
import { hiddenMarks, hexOf, nameOfMark } from "../../canonical/visible.ts"

/** JSON in which characters without a shape of their own are escaped. */
export const jsonText = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(hiddenMarks, (mark) =>
    mark === "\n" ? mark : [...Array(mark.length).keys()].map((at) => `\\u${hexOf(mark.charCodeAt(at))}`).join("")
  )

/** One value in one cell. */
const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value)
  return text.replace(hiddenMarks, (mark) => `<${nameOfMark(mark)}>`)
}

const cellMost = 60

const cut = (text: string): string => {
  const characters = [...text]
  return characters.length > cellMost ? `${characters.slice(0, cellMost - 1).join("")}…` : text
}

/** The columns of a list, by their names. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>

/** A header and one line an item. An id fits into its column whole: the next command takes it. */
export const tableText = <Item>(columns: Columns<Item>, items: ReadonlyArray<Item>): string => {
  const lines = [
    Object.keys(columns),
    ...items.map((item) => Object.values(columns).map((valueOf) => cut(cellText(valueOf(item)))))
  ]
  const widths = Object.keys(columns).map((_, at) => Math.max(...lines.map((line) => line[at]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** One line a member: its name, and its value in full. */
export const fieldsText = (item: object): string => {
  const entries = Object.entries(item)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join("\n")
}
