/** Text in XML 1.0: whatever it holds, the document stays well-formed and a parser gives back what a reader can see. */
import { visible } from "./visible.ts"

/** For between tags. A return would be read as a line feed if it stood there itself. */
export const xmlText = (text: string): string =>
  visible(text).replace(/[&<>\r]/g, (character) => references[character] ?? character)

/** For between double quotes, where a parser would also make spaces of tabs and line feeds. */
export const xmlAttribute = (text: string): string =>
  visible(text).replace(/[&<>\r\n\t"]/g, (character) => references[character] ?? character)

const references: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;"
}
