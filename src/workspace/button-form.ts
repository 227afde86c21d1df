/** A form of one button, as in a row of a table. */
import { h } from "preact"
import { formTokenField, hidden } from "./fields.ts"
import type { Element } from "./html.ts"

export interface ButtonFormOptions {
  readonly action: `/workspace/${string}`
  readonly formToken: string
  readonly label: string
  /** What the button is for, where several on a page read alike. */
  readonly about?: string
  readonly fields?: Readonly<Record<string, string>>
}

export const buttonForm = ({ action, formToken, label, about, fields = {} }: ButtonFormOptions): Element =>
  h(
    "form",
    { method: "post", action },
    formTokenField(formToken),
    Object.entries(fields).map(([name, value]) => hidden(name, value)),
    h("button", { type: "submit", class: "quiet", "aria-label": about }, label)
  )
