/** Escapes text for XML 1.0, so that the document is always well-formed and the visible text is preserved. */
import { escapeControls } from "./escape.ts"

/** For element content. A literal carriage return would be normalized to a line feed. */
export const xmlText = (text: string): string =>
  escapeControls(text).replace(/[&<>\r]/g, (character) => references[character] ?? character)

/** For double-quoted attribute values, in which literal tabs and line feeds would be normalized to spaces. */
export const xmlAttribute = (text: string): string =>
  escapeControls(text).replace(/[&<>\r\n\t"]/g, (character) => references[character] ?? character)

/** Attributes as they stand in a tag. */
export const xmlAttributes = (values: { readonly [name: string]: string | number }): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${xmlAttribute(String(value))}"`)
    .join(" ")

const references: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;"
}
