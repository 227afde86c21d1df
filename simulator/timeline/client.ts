/** The script of a timeline: the modules of `client/` as one, since a page without a network has nowhere to import from. */
import * as fs from "node:fs"
import * as path from "node:path"
import { hiddenMarks } from "../../src/canonical/visible.ts"

export const clientScript = (): string =>
  asOneScript(modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`)))

/** Those that others import come first. */
const modules = [
  "marks",
  "elements",
  "rows",
  "tones",
  "data",
  "drawing",
  "changes",
  "details",
  "table",
  "showing",
  "keys",
  "main"
]

/** Modules by their files, those that others import first. */
export const asOneScript = (files: ReadonlyArray<string>): string =>
  `"use strict";\n(() => {\nconst hiddenMarks = ${String(hiddenMarks)}\n${files.map(joined).join("\n")}\n})()\n`

const joined = (file: string): string =>
  fs
    .readFileSync(file, "utf8")
    .replaceAll(/^import [^"]*"[^"]*";?\n/gm, "")
    .replaceAll(/^export (?=const )/gm, "")
