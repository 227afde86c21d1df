/** A form that is a single button, as in a table row. */
import { h } from "preact"
import { formTokenField, hidden } from "./fields.ts"
import type { Element } from "./html.ts"

export interface ButtonFormOptions {
  readonly action: `/workspace/${string}`
  readonly formToken: string
  readonly label: string
  /** The accessible name, where several buttons of a page have the same label. */
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
