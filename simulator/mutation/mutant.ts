/**
 * A mutant of the service, which a search must kill. One text in one file of `src/` is replaced while a separate process
 * loads the file; neither a build nor a switch in `src/` contains it.
 */
export interface Mutant {
  /** The name on the command line. */
  readonly name: string
  /** The wrong behavior in one sentence. */
  readonly says: string
  /** The path from the project folder, starting with `src/`. */
  readonly file: string
  /** The replaced text, which occurs exactly once in the file. */
  readonly text: string
  readonly becomes: string
  /** The properties and probes that are expected to kill it. */
  readonly killedBy: readonly [string, ...ReadonlyArray<string>]
  /** The scenarios that are searched first. */
  readonly scenarios: readonly [string, ...ReadonlyArray<string>]
  /** The fault without which it is not killed, by its name in the catalogue; none if absent. */
  readonly needs?: string
}

/** The mutated source; undefined if the text does not occur exactly once. */
export const applyMutant = ({ text, becomes }: Mutant, source: string): string | undefined => {
  const [before, after, ...more] = source.split(text)
  return before === undefined || after === undefined || more.length > 0 ? undefined : before + becomes + after
}
