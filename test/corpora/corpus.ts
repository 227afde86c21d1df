/** A corpus: many inputs with a verdict each, which somebody else can count again. */
import { isCorpusHere, isPlaceGiven } from "./foreign-files.ts"

export interface Corpus {
  readonly name: string
  /** Why it cannot run here; undefined where it can. */
  readonly absent: () => string | undefined
  readonly run: () => Outcome
}

export interface Outcome {
  readonly cases: number
  /** One line: how many of which verdict. */
  readonly verdicts: string
  /** Each case that has not the verdict it should have, by name. */
  readonly surprises: ReadonlyArray<string>
}

/** Why the corpus in this folder cannot run here. */
export const absentCorpus = (folder: string): string | undefined =>
  isCorpusHere(folder) || isPlaceGiven
    ? undefined
    : "the corpus is not beside the project and CORPORA_DIR does not point to it"
