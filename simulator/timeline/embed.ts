/** How texts and data stand in a page without ever being markup, and how the page allows its own script and style only. */
import { createHash } from "node:crypto"
import { hiddenMarks, nameOfMark } from "../../src/canonical/visible.ts"
import type { JsonObject } from "../script/json.ts"

export const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** A character without a shape of its own is named. */
const visible = (text: string): string => text.replace(hiddenMarks, (mark) => `‹${nameOfMark(mark)}›`)

/** No `<` is left that could end the element or begin a comment; it reads back as the same JSON. */
export const escapeJson = (json: string): string => json.replaceAll("<", "\\u003c")

export const embeddedJson = (id: string, value: object): string =>
  `<script type="application/json" id="${id}">${escapeJson(JSON.stringify(value))}</script>\n`

/** A line for each, so that a reader takes apart only the line that it wants. */
export const embeddedLines = (id: string, lines: ReadonlyArray<JsonObject>): string =>
  `<script type="application/x-ndjson" id="${id}">${lines.map((line) => escapeJson(JSON.stringify(line))).join("\n")}</script>\n`

/** Nothing is loaded, sent or run but the script and the style with these bytes. */
export const contentPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")

const digestOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`
