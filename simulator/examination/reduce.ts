/** Leaves out parts of a list while a run of the others fails alike. */

export interface Reduced<A> {
  readonly parts: ReadonlyArray<A>
  /** False if the limit of runs was reached before each remaining part had been left out in turn. */
  readonly isComplete: boolean
}

export interface Reduction<A> {
  readonly without: (parts: ReadonlyArray<A>, index: number) => ReadonlyArray<A>
  readonly failsAlike: (parts: ReadonlyArray<A>) => Promise<boolean>
  readonly runsMax: number
}

/** The empty list is judged first; the whole one, which is known to fail, is not judged. */
export const reduce = async <A>(
  all: ReadonlyArray<A>,
  { without, failsAlike, runsMax }: Reduction<A>
): Promise<Reduced<A>> => {
  if (all.length === 0) return { parts: all, isComplete: true }
  if (await failsAlike([])) return { parts: [], isComplete: true }
  let parts = all
  let runs = 1
  // The last first, since later parts depend on earlier ones; from the start again after each that was left out.
  for (let index = parts.length - 1; index >= 0 && parts.length > 1; index--) {
    if (runs >= runsMax) return { parts, isComplete: false }
    runs += 1
    const fewer = without(parts, index)
    if (!(await failsAlike(fewer))) continue
    parts = fewer
    index = parts.length
  }
  return { parts, isComplete: true }
}
