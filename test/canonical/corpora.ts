/** Tests of third-party corpora are skipped by name where the corpus is absent. */
import { describe } from "vitest"
import { isCorpusHere } from "../corpora/foreign-files.ts"

export const describeCorpus = (folder: string, name: string, body: () => void): void => {
  describe.skipIf(!isCorpusHere(folder))(`${name} (corpus ${folder})`, body)
}
