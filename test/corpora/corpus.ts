/** A corpus: inputs with expected verdicts, in numbers that can be reproduced. */
import { hasCorpus, isCorporaDirSet } from "./external-files.ts"

export interface Corpus {
  readonly name: string
  /** Why it cannot run here; undefined if it can. */
  readonly unavailableReason: () => string | undefined
  readonly run: () => Outcome
}

export interface Outcome {
  readonly cases: number
  /** One line: the number of cases by verdict. */
  readonly verdicts: string
  /** Each case whose verdict differs from the expected one, by name. */
  readonly unexpected: ReadonlyArray<string>
}

/** Why the corpus in this folder cannot run here. */
export const missingCorpusReason = (folder: string): string | undefined =>
  hasCorpus(folder) || isCorporaDirSet
    ? undefined
    : "the corpus is not found beside the project; set CORPORA_DIR to its folder"
