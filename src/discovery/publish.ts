/** Publishing: an operator adds a version of a specification, and the search follows the newest one. */
import { Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { rangeAll } from "../ports/range-all.ts"
import { exclusive, Storage, type Transaction } from "../ports/storage.ts"
import { digestOfContent, digestOfDocument, documentOf, type Content } from "./specification.ts"
import { Specifications, SpecificationVersions, SpecificationWords } from "./store.ts"
import { indexed, wordsOf } from "./words.ts"

/**
 * Adds the next version. What a version says already is not published again: the answer names that version, so that a
 * publication whose answer was lost can be sent once more.
 */
export const publishSpecification = Effect.fn("discovery.publishSpecification")(function* (content: Content) {
  const storage = yield* Storage
  const { id } = content
  return yield* storage.transaction({ roots: [exclusive("specification", id)] }, (transaction) =>
    Effect.gen(function* () {
      const contentDigest = digestOfContent(content)
      const [newest, same] = yield* Effect.all(
        [
          transaction.get(Specifications, [id]),
          transaction.find(SpecificationVersions, "byContent", [id, contentDigest])
        ],
        { concurrency: "unbounded" }
      )
      if (same !== undefined) return { id, version: same.version, digest: same.digest }
      const document = documentOf(content, (newest?.version ?? 0) + 1)
      const { version, title, summary } = document
      const digest = digestOfDocument(document)
      yield* newest === undefined
        ? transaction.insert(Specifications, { specificationId: id, version, title, summary, digest })
        : transaction.update(Specifications, [id], { version, title, summary, digest })
      yield* transaction.insert(SpecificationVersions, {
        specificationId: id,
        version,
        document: canonicalText(document),
        digest,
        contentDigest,
        publishedAt: yield* transaction.now
      })
      yield* writeWords(transaction, id, `${title}\n${summary}`)
      return { id, version, digest }
    })
  )
})

/** The words that it is found by from now on, in the place of those that are there. */
const writeWords = Effect.fnUntraced(function* (transaction: Transaction, specificationId: string, text: string) {
  const wanted = new Set(wordsOf(text).map(indexed))
  const kept = yield* rangeAll(transaction, SpecificationWords, "bySpecification", { prefix: [specificationId] })
  for (const { word } of kept) {
    if (!wanted.delete(word)) yield* transaction.remove(SpecificationWords, [word, specificationId])
  }
  for (const word of wanted) yield* transaction.insert(SpecificationWords, { word, specificationId })
})
