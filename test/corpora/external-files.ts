/** Finds the external corpora: beside the project, or in `CORPORA_DIR`. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const configuredRoot = process.env["CORPORA_DIR"]
const root = configuredRoot ?? join(import.meta.dirname, "../../../shared/corpora")

/** If `CORPORA_DIR` is set, an absent corpus is a failure and not skipped. */
export const isCorporaDirSet = configuredRoot !== undefined

export const hasCorpus = (folder: string): boolean => existsSync(join(root, folder))

/** Empty if the corpus is absent. */
export const corpusFiles = (folder: string): ReadonlyArray<string> =>
  hasCorpus(folder) ? readdirSync(join(root, folder)).filter((name) => /\.(?:json|txt)$/.test(name)) : []

export const corpusFile = (...path: ReadonlyArray<string>): Uint8Array => readFileSync(join(root, ...path))
