/** A file name in a page, as `untrusted` of `src/workspace/kit/html.ts` writes it: isolated, with every character visible. */
import { codePointName, invisibleCharacters } from "../../canonical/visible-characters.ts"

export const untrustedText = (text: string): HTMLElement => {
  const element = document.createElement("bdi")
  element.className = "untrusted"
  element.textContent = visible(text)
  return element
}

/** Replaces invisible characters by `‹U+202E›`, as `visible` there does. */
export const visible = (text: string): string => text.replace(invisibleCharacters, (mark) => `‹${codePointName(mark)}›`)
