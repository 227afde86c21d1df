/**
 * What pages are made of. Everything goes through preact, which escapes texts and attributes; whatever another person or
 * an agent wrote goes through `untrusted` besides, so that it cannot turn round or hide what stands beside it.
 */
import { h, type ComponentChildren, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import { hiddenMarks, nameOfMark } from "../canonical/visible.ts"

export type Content = ComponentChildren
export type Element = VNode<any>

/** A text of one line from somebody else, isolated from the direction of the text around it. */
export const untrusted = (text: string): Element => isolated(/^ *$/.test(text) ? "(blank)" : text)

const isolated = (text: string): Element => h("bdi", { class: "untrusted" }, visible(text))

/** A text of several lines from somebody else; each line is isolated by itself. */
export const untrustedLines = (text: string): Element =>
  h(
    "div",
    { class: "untrusted-lines" },
    text.split(/\r\n|\n/).flatMap((line, index) => [index === 0 ? null : h("br", null), isolated(line)])
  )

/** Where no element can stand, as in a title: `‹U+202E›` in the place of what cannot be seen. */
export const visible = (text: string): string => text.replace(hiddenMarks, (mark) => `‹${nameOfMark(mark)}›`)

/** The whole document. */
export const render = (document: Element): string => `<!doctype html>\n${renderToString(document)}`
