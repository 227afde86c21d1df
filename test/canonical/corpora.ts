/** Where the corpora that no one here wrote are found; tests that need them say so by name when they are absent. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe } from "vitest"

const root = process.env["CORPORA_DIR"] ?? join(import.meta.dirname, "../../../shared/corpora")

export const describeCorpus = (folder: string, name: string, body: () => void): void => {
  describe.skipIf(!existsSync(join(root, folder)))(`${name} (corpus ${folder})`, body)
}

/** Empty where the corpus is absent: the suite around it is skipped. */
export const corpusFiles = (folder: string): ReadonlyArray<string> =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter((name) => /\.(?:json|txt)$/.test(name)) : []

export const corpusFile = (...path: ReadonlyArray<string>): Uint8Array => readFileSync(join(root, ...path))
