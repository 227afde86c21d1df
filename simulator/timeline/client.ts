/** The script of a timeline: the modules of `client/`, bundled, since an offline page cannot import them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { hiddenMarks } from "../../src/canonical/visible.ts"

export const clientScript = (): string =>
  asOneScript(modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`)))

/** In dependency order. */
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

/** Bundles modules, given in dependency order. */
export const asOneScript = (files: ReadonlyArray<string>): string =>
  `"use strict";\n(() => {\nconst hiddenMarks = ${String(hiddenMarks)}\n${files.map(withoutImports).join("\n")}\n})()\n`

const withoutImports = (file: string): string =>
  fs
    .readFileSync(file, "utf8")
    .replaceAll(/^import [^"]*"[^"]*";?\n/gm, "")
    .replaceAll(/^export (?=const )/gm, "")
