/**
 * A bug to plant in the service, so that it is known that a search would find it. It is a text in the place of another in
 * one file of `src/`, put there while a process of its own loads that file: no build, and no switch in `src/`, has it.
 */
export interface Mutant {
  /** As the command line calls it. */
  readonly name: string
  /** What it breaks, one sentence. */
  readonly says: string
  /** Below the project, with `src/` in front. */
  readonly file: string
  /** The exact text that is replaced; it stands in the file once. */
  readonly text: string
  readonly becomes: string
  /** Who is expected to notice: invariants and probes, by their names. */
  readonly noticedBy: readonly [string, ...ReadonlyArray<string>]
  /** Where the search begins, by the names of scenarios; all others follow. */
  readonly scenarios: readonly [string, ...ReadonlyArray<string>]
  /** What has to go wrong for anybody to notice, as the catalogue of faults calls it; nothing where absent. */
  readonly needs?: string
}

/** The source with the bug; undefined where the text does not stand in it exactly once. */
export const planted = ({ text, becomes }: Mutant, source: string): string | undefined => {
  const [before, after, ...more] = source.split(text)
  return before === undefined || after === undefined || more.length > 0 ? undefined : before + becomes + after
}
