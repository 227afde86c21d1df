/** A file name in a page, as `untrusted` of `src/workspace/kit/html.ts` writes it: isolated, with every character visible. */
import { visibleLine } from "../../canonical/visible-characters.ts"

export const untrustedText = (text: string): HTMLElement => {
  const element = document.createElement("bdi")
  element.className = "untrusted"
  element.textContent = visibleLine(text)
  return element
}
