/** The components of pages except forms: links, facts, tables, notices, times and secrets. */
import { h } from "preact"
import type { Instant } from "../../vocabulary/instant.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { type Content, type Element } from "./html.ts"

/** A link inside the workspace; `about` is its accessible name where several links have the same label. */
export const linkTo = (path: `/workspace/${string}`, label: Content, about?: string): Element =>
  h("a", { href: path, "aria-label": about }, label)

/** A link styled as a button, for the next step. */
export const nextStep = (path: `/workspace/${string}`, label: Content): Element =>
  h("p", null, h("a", { href: path, class: "button" }, label))

export const paragraph = (...children: ReadonlyArray<Content>): Element => h("p", null, children)

/** The contents of a page, a section or a notice: a text among them is a paragraph. */
export const blocks = (contents: ReadonlyArray<Content>): ReadonlyArray<Content> =>
  contents.map((one) => (typeof one === "string" ? paragraph(one) : Array.isArray(one) ? blocks(one) : one))

export const section = (title: Content, ...contents: ReadonlyArray<Content>): Element =>
  h("section", null, h("h2", null, title), blocks(contents))

export const list = (items: ReadonlyArray<Content>): Element =>
  h(
    "ul",
    null,
    items.map((item) => h("li", null, item))
  )

export type Fact = readonly [term: string, detail: Content]

/** Terms and their details. */
export const facts = (rows: ReadonlyArray<Fact>): Element =>
  h(
    "dl",
    { class: "facts" },
    rows.map(([term, detail]) => h("div", null, h("dt", null, term), h("dd", null, detail)))
  )

/** Content that a person opens by its label, without script. */
export const folded = (label: string, ...contents: ReadonlyArray<Content>): Element =>
  foldable({ label, isOpen: false }, ...contents)

export interface FoldableOptions {
  readonly label: string
  /** True where the person is to see the content at once, as the problems of a form. */
  readonly isOpen: boolean
  /** True for a label that is styled as a button, as it opens the form of an act. */
  readonly isAct?: boolean
}

/** The same, which can be open at first. */
export const foldable = (
  { label, isOpen, isAct = false }: FoldableOptions,
  ...contents: ReadonlyArray<Content>
): Element =>
  h("details", { open: isOpen, class: isAct ? "act" : undefined }, h("summary", null, label), blocks(contents))

export interface TableOptions {
  readonly caption: string
  readonly columns: ReadonlyArray<string>
  /** The first cell of a row is its heading. */
  readonly rows: ReadonlyArray<ReadonlyArray<Content>>
  /** Shown instead of an empty table. */
  readonly empty: string
}

/** A table wider than the page scrolls by itself, also with the keyboard. */
export const table = ({ caption, columns, rows, empty }: TableOptions): Element =>
  rows.length === 0
    ? h("p", { class: "empty" }, empty)
    : h(
        "div",
        { class: "table", role: "region", "aria-label": caption, tabIndex: 0 },
        h(
          "table",
          null,
          h("caption", null, caption),
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              columns.map((column) => h("th", { scope: "col" }, column))
            )
          ),
          h(
            "tbody",
            null,
            rows.map(([first, ...rest]) =>
              h(
                "tr",
                null,
                h("th", { scope: "row" }, first),
                rest.map((cell) => h("td", null, cell))
              )
            )
          )
        )
      )

/** A message that is shown before the rest. */
export const notice = (kind: "done" | "warning", ...contents: ReadonlyArray<Content>): Element =>
  h("div", { class: `notice ${kind}`, role: kind === "done" ? "status" : "note" }, blocks(contents))

/** A state in one word. */
export const badge = (kind: "good" | "waiting" | "ended", text: string): Element =>
  h("span", { class: `badge ${kind}` }, text)

/** A code or a secret in a font with distinguishable characters. */
export const code = (text: string): Element => h("code", { class: "secret" }, text)

/** What has this id or digest, above it; only the content where there is none. */
export const aboveId = (content: Content, id: string | null): Content => [
  content,
  id === null ? null : [h("br", null), h("code", null, id)]
]

/** A long text in which every character counts, to be copied; it scrolls by itself, also with the keyboard. */
export const bytes = (label: string, text: string): Element =>
  h("pre", { class: "bytes", role: "region", "aria-label": label, tabIndex: 0 }, h("bdi", null, visible(text)))

/** `21 November 2026, 09:30 UTC` */
export const time = (instant: Instant): Element => h("time", { dateTime: instant }, timeText(instant))

export const timeText = (instant: Instant): string => {
  const [year = "", month = "", day = ""] = instant.slice(0, 10).split("-")
  return `${Number(day)} ${months[Number(month) - 1]} ${year}, ${instant.slice(11, 16)} UTC`
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]
