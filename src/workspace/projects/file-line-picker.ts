/** Beside the lines of a criterion's files: files that the browser hashes and adds as lines. */
import { h } from "preact"
import type { Terms } from "../../projects/terms.ts"
import { limits } from "../../vocabulary/limits.ts"
import { idOf } from "../kit/fields.ts"
import { filePicker } from "../kit/file-picker.ts"
import type { Element } from "../kit/html.ts"
import { prefilledText } from "./files.ts"

/** All of them are kept at one place, at first the agreed one. */
export const fileLinePicker = (number: number, { location }: Terms["originals"]): Element => {
  const id = `pick-files${number}`
  return filePicker({
    id,
    enhance: "fill-file-lines",
    data: {
      "data-fills": idOf(`files${number}`),
      "data-field-files-max": limits.filesPerItem,
      "data-name-characters-max": limits.titleCharacters
    },
    before: h(
      "div",
      { class: "place" },
      h("label", { for: `${id}-place` }, `Where the files that you choose for criterion ${number} are kept`),
      h("input", {
        id: `${id}-place`,
        type: "text",
        autocomplete: "off",
        maxLength: limits.textCharacters,
        value: location.includes("\n") ? "" : (prefilledText(location) ?? ""),
        "data-part": "place"
      })
    ),
    label: `Choose files that answer criterion ${number}, or drop them here`,
    hint: "They are not uploaded: your browser computes name, size and SHA-256, and adds a line for each to the field above."
  })
}
