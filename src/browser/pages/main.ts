/**
 * The script of every page: it enhances elements that the server marks by `data-enhance`, and whose page works without it.
 * One file for each kind of element.
 */
import { keepPageOnDrop } from "../files/file-picker.ts"
import { closeGroups } from "./close-groups.ts"
import { compareFiles } from "./compare-files.ts"
import { fillFileLines } from "./fill-file-lines.ts"
import { localTime } from "./local-time.ts"

const enhancements: { readonly [name: string]: (element: HTMLElement) => void } = {
  "close-groups": closeGroups,
  "fill-file-lines": fillFileLines,
  "compare-files": compareFiles,
  "local-time": localTime
}

const marked = document.querySelectorAll<HTMLElement>("[data-enhance]")
for (const element of marked) enhancements[element.dataset["enhance"]!]?.(element)
if (document.querySelector("input[type=file]") !== null) keepPageOnDrop()
