/**
 * Files that the browser hashes itself: hidden until the script of the pages, `src/browser/`, makes it work. The file input
 * has no name, so that no form ever sends a file.
 */
import { h } from "preact"
import { limits } from "../../vocabulary/limits.ts"
import type { Content, Element } from "./html.ts"

export interface FilePickerOptions {
  readonly id: string
  /** The enhancement of `src/browser/pages/main.ts`, with the data that it reads. */
  readonly enhance: string
  readonly data?: { readonly [name: `data-${string}`]: string | number }
  readonly label: string
  /** What happens with the files. */
  readonly hint: Content
  /** Further controls, above that for files. */
  readonly before?: Content
}

export const filePicker = ({ id, enhance, data, label, hint, before }: FilePickerOptions): Element =>
  h(
    "div",
    {
      class: "file-picker field",
      hidden: true,
      "data-enhance": enhance,
      "data-files-max": limits.filesHashedAtOnce,
      ...data
    },
    before,
    h("label", { for: id }, label),
    h("div", { class: "hint", id: `${id}-hint` }, hint, ` At most ${limits.filesHashedAtOnce} files at once.`),
    h("input", { type: "file", multiple: true, id, "data-part": "files", "aria-describedby": `${id}-hint` }),
    h("progress", { hidden: true, max: 1, value: 0, "data-part": "progress", "aria-label": "Progress with this file" }),
    h("button", { type: "button", class: "quiet", hidden: true, "data-part": "cancel" }, "Cancel"),
    h("p", { role: "status", "data-part": "status" }),
    h("div", { "data-part": "results" })
  )
