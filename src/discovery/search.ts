/** The public search: the newest version of each specification that contains all words in title or summary. */
import { Effect } from "effect"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { KeyValue, Reader } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { comparePositions, encodeCursor, decodeCursor } from "./cursor.ts"
import { Specifications, SpecificationWords } from "./store.ts"
import { matchesAllWords, indexKeyOf, tokenize } from "./tokenization.ts"
import { traced } from "../vocabulary/traced.ts"

export interface Search {
  readonly q: string
  /** The `next` of the previous page. */
  readonly after?: string | undefined
}

/** One page: title matches first, then by id. A query without words has no results. */
export const searchSpecifications = traced("discovery.searchSpecifications")(function* ({ q, after }: Search) {
  const words = tokenize(q)
  const position = after === undefined ? undefined : yield* decodeCursor(words, after)
  const found = words.length === 0 ? [] : yield* inReplicaView((reader) => findAll(reader, words))
  const rest = position === undefined ? found : found.filter((one) => comparePositions(one, position) > 0)
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
    next: last === undefined || page.length === rest.length ? null : encodeCursor(words, last)
  }
})

/** All matches, in result order. */
const findAll = Effect.fnUntraced(function* (reader: Reader, words: ReadonlyArray<string>) {
  const ids = yield* candidates(reader, indexKeyOf(longestOf(words)))
  const rows = yield* readTogether(ids.map((id) => reader.get(Specifications, [id])))
  return rows
    .flatMap((row) => {
      const isByTitle = row !== undefined && matchesAllWords(words, row.title)
      const isFound = row !== undefined && (isByTitle || matchesAllWords(words, `${row.title}\n${row.summary}`))
      return isFound ? [{ row, id: row.specificationId, isByTitle }] : []
    })
    .toSorted(comparePositions)
})

/** The ids under words with this prefix: a range of the index, which is in code point order. */
const candidates = Effect.fnUntraced(function* (reader: Reader, prefix: string) {
  const ids = new Set<string>()
  let after: ReadonlyArray<KeyValue> = [prefix, ""]
  while (true) {
    const rows = yield* reader.range(SpecificationWords, "key", { prefix: [], after, limit: rowsPerRead })
    const matching = rows.filter(({ word }) => word.startsWith(prefix))
    for (const { specificationId } of matching) ids.add(specificationId)
    const last = matching.at(-1)
    if (last === undefined || matching.length < rowsPerRead) return [...ids]
    after = [last.word, last.specificationId]
  }
})

const rowsPerRead = 500

/** The longest word is the most selective prefix. */
const longestOf = (words: ReadonlyArray<string>): string =>
  words.reduce((longest, word) => ([...word].length > [...longest].length ? word : longest))
