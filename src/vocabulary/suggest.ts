/** Suggests the nearest known word for an unknown one. */

/** Undefined where no known word is near enough. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

export const didYouMean = (word: string, known: Iterable<string>): string => {
  const near = nearest(word, known)
  return near === undefined ? "" : `; did you mean ${near}?`
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
export const editDistance = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1)
      let distance = Math.min(replaced, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
