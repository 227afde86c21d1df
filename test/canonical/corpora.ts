/** Tests that need a corpus that no one here wrote say so by name where it is absent. */
import { describe } from "vitest"
import { isCorpusHere } from "../corpora/foreign-files.ts"

export const describeCorpus = (folder: string, name: string, body: () => void): void => {
  describe.skipIf(!isCorpusHere(folder))(`${name} (corpus ${folder})`, body)
}
