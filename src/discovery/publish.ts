/** Publishing: an operator adds a version of a specification, and the search follows the newest one. */
import { Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { inTransaction, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Transaction } from "../ports/storage.ts"
import { digestOfContent, digestOfDocument, documentOf, type Content } from "./specification.ts"
import { Specifications, SpecificationVersions, SpecificationWords } from "./store.ts"
import { indexKeyOf, tokenize } from "./tokenization.ts"
import { traced } from "../vocabulary/traced.ts"

/** Adds the next version. Idempotent: content equal to an existing version returns that version. */
export const publishSpecification = traced("discovery.publishSpecification")(function* (content: Content) {
  const { id } = content
  return yield* inTransaction({ locks: [exclusive("specification", id)] }, function* (transaction) {
    const contentDigest = digestOfContent(content)
    const [newest, same] = yield* readTogether([
      transaction.get(Specifications, [id]),
      transaction.find(SpecificationVersions, "byContent", [id, contentDigest])
    ])
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
})

/** Replaces the words of the search index. */
const writeWords = Effect.fnUntraced(function* (transaction: Transaction, specificationId: string, text: string) {
  const added = new Set(tokenize(text).map(indexKeyOf))
  const rows = yield* rangeAll(transaction, SpecificationWords, "bySpecification", { prefix: [specificationId] })
  for (const { word } of rows) {
    if (!added.delete(word)) yield* transaction.remove(SpecificationWords, [word, specificationId])
  }
  for (const word of added) yield* transaction.insert(SpecificationWords, { word, specificationId })
})
