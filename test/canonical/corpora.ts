/** Tests of third-party corpora are skipped by name where the corpus is absent. */
import { describe } from "vitest"
import { hasCorpus } from "../corpora/external-files.ts"

export const describeCorpus = (folder: string, name: string, body: () => void): void => {
  describe.skipIf(!hasCorpus(folder))(`${name} (corpus ${folder})`, body)
}
