/** Embeds text and data in a page without injection, and restricts the page to its own script and style. */
import { createHash } from "node:crypto"
import { invisibleCharacters, codePointName } from "../../../src/canonical/visible-characters.ts"
import type { JsonObject } from "../../vocabulary/json.ts"

export const escapeText = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Invisible characters are shown by name. */
const visible = (text: string): string => text.replace(invisibleCharacters, (mark) => `‹${codePointName(mark)}›`)

/** Escapes `<`, which could end the element or begin a comment; the JSON value is unchanged. */
export const escapeJson = (json: string): string => json.replaceAll("<", "\\u003c")

export const embeddedJson = (id: string, value: object): string =>
  `<script type="application/json" id="${id}">${escapeJson(JSON.stringify(value))}</script>\n`

/** One line per value, so that lines can be parsed individually. */
export const embeddedLines = (id: string, lines: ReadonlyArray<JsonObject>): string =>
  `<script type="application/x-ndjson" id="${id}">${lines.map((line) => escapeJson(JSON.stringify(line))).join("\n")}</script>\n`

/** Only this script and this style are allowed, by hash. */
export const contentPolicy = (script: string, style: string): string =>
  [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")

const digestOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`
