/** The script of a timeline: the modules of `client/`, bundled, since an offline page cannot import them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { invisibleCharacters } from "../../../src/canonical/visible-characters.ts"

export const clientScript = (): string =>
  bundleModules([
    ...viewModelModules("instant-text", "session-text", "tone-text", "row-changes", "message-parts"),
    ...modules.map((name) => path.join(import.meta.dirname, "client", `${name}.js`))
  ])

/** In dependency order. */
const modules = [
  "visible-characters",
  "elements",
  "rows",
  "data",
  "drawing",
  "changes",
  "details",
  "table",
  "navigation",
  "keys",
  "main"
]

/** The files of modules of the view model, which scripts of pages and the terminal have in common. */
export const viewModelModules = (...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => path.join(import.meta.dirname, "../../view-model", `${name}.js`))

/** Bundles modules, given in dependency order. */
export const bundleModules = (files: ReadonlyArray<string>): string =>
  `"use strict";\n(() => {\nconst invisibleCharacters = ${String(invisibleCharacters)}\n${files.map(withoutImports).join("\n")}\n})()\n`

const withoutImports = (file: string): string =>
  fs
    .readFileSync(file, "utf8")
    .replaceAll(/^import [^"]*"[^"]*";?\n/gm, "")
    .replaceAll(/^export (?=const )/gm, "")
