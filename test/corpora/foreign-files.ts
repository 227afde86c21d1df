/** Where the corpora that no one here wrote are found: beside the project, or where `CORPORA_DIR` points. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const given = process.env["CORPORA_DIR"]
const root = given ?? join(import.meta.dirname, "../../../shared/corpora")

/** Whoever says where the corpora are wants them run: one that is not there is then no reason to skip it. */
export const isPlaceGiven = given !== undefined

export const isCorpusHere = (folder: string): boolean => existsSync(join(root, folder))

/** Empty where the corpus is absent. */
export const corpusFiles = (folder: string): ReadonlyArray<string> =>
  isCorpusHere(folder) ? readdirSync(join(root, folder)).filter((name) => /\.(?:json|txt)$/.test(name)) : []

export const corpusFile = (...path: ReadonlyArray<string>): Uint8Array => readFileSync(join(root, ...path))
