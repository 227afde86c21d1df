/**
 * HTML rendering. Preact escapes all texts and attributes; texts of other persons and agents also go through
 * `untrusted`, so that they can neither change the text direction nor hide adjacent content.
 */
import { h, type ComponentChildren, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { visible, visibleLine } from "../../canonical/visible-characters.ts"

export type Content = ComponentChildren
export type Element = VNode<any>

/** One line of untrusted text, isolated from the text direction around it. */
export const untrusted = (text: string): Element => isolated(visibleLine(text))

const isolated = (shown: string): Element => h("bdi", { class: "untrusted" }, shown)

/** Untrusted text of several lines, each isolated by itself. */
export const untrustedLines = (text: string): Element =>
  h(
    "div",
    { class: "untrusted-lines" },
    text.split(/\r\n|\n/).flatMap((line, index) => [index === 0 ? null : h("br", null), isolated(visible(line))])
  )

/** True where this content has an element with that id. */
export const hasId = (content: Content, id: string): boolean =>
  renderToString(h("div", null, content)).includes(` id="${id}"`)

/** The complete document. */
export const render = (document: Element): string => `<!doctype html>\n${renderToString(document)}`
