/** The public search: the newest version of each specification whose title or summary has all the words. */
import { Effect } from "effect"
import { Storage, type KeyValue, type Reader } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { comparePlaces, cursorAt, openCursor } from "./cursor.ts"
import { Specifications, SpecificationWords } from "./store.ts"
import { holdsAll, indexed, wordsOf } from "./words.ts"

export interface Search {
  readonly q: string
  /** The `next` of the page before. */
  readonly after?: string | undefined
}

/** One page: those whose words all begin words of the title first, then by id. Without a word nothing is found. */
export const searchSpecifications = Effect.fn("discovery.searchSpecifications")(function* ({ q, after }: Search) {
  const words = wordsOf(q)
  const place = after === undefined ? undefined : yield* openCursor(words, after)
  const storage = yield* Storage
  const found = words.length === 0 ? [] : yield* storage.view((reader) => findAll(reader, words))
  const rest = place === undefined ? found : found.filter((one) => comparePlaces(one, place) > 0)
  const page = rest.slice(0, limits.specificationsOnPage)
  const last = page.at(-1)
  return {
    specifications: page.map(({ row: { specificationId: id, version, title, summary, digest } }) => ({
      id,
      version,
      title,
      summary,
      digest
    })),
    next: last === undefined || page.length === rest.length ? null : cursorAt(words, last)
  }
})

/** Everything that has all the words, in its order. */
const findAll = Effect.fnUntraced(function* (reader: Reader, words: ReadonlyArray<string>) {
  const ids = yield* candidates(reader, indexed(longestOf(words)))
  const rows = yield* Effect.forEach(ids, (id) => reader.get(Specifications, [id]), { concurrency: "unbounded" })
  return rows
    .flatMap((row) => {
      const isByTitle = row !== undefined && holdsAll(words, row.title)
      const isFound = row !== undefined && (isByTitle || holdsAll(words, `${row.title}\n${row.summary}`))
      return isFound ? [{ row, id: row.specificationId, isByTitle }] : []
    })
    .toSorted(comparePlaces)
})

/** The ids under words with this beginning: in the order of code points, which is the index's, they stand together. */
const candidates = Effect.fnUntraced(function* (reader: Reader, beginning: string) {
  const ids = new Set<string>()
  let after: ReadonlyArray<KeyValue> = [beginning, ""]
  while (true) {
    const rows = yield* reader.range(SpecificationWords, "key", { prefix: [], after, limit: rowsPerRead })
    const those = rows.filter(({ word }) => word.startsWith(beginning))
    for (const { specificationId } of those) ids.add(specificationId)
    const last = those.at(-1)
    if (last === undefined || those.length < rowsPerRead) return ids
    after = [last.word, last.specificationId]
  }
})

const rowsPerRead = 500

/** Fewest words begin with it. */
const longestOf = (words: ReadonlyArray<string>): string =>
  words.reduce((longest, word) => ([...word].length > [...longest].length ? word : longest))
