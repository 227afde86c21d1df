import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { Publications } from "../../src/publications/store.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { uuid } from "../support/parties.ts"
import { contest, listDisclosed, publish, publishedResult, type IssuedResult } from "../support/publications.ts"
import { createdBody } from "../support/workspace.ts"

/** Stores copies of the project's publication, each completed a second earlier than the one before it. */
const storeCopies = Effect.fnUntraced(function* (projectId: string, count: number) {
  const storage = yield* Storage
  return yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    Effect.gen(function* () {
      const [publication] = yield* transaction.range(Publications, "byProject", { prefix: [projectId], limit: 1 })
      const copies = Array.from({ length: count }, (_, index) => ({
        ...publication!,
        publicationId: `pub_${uuid()}`,
        completionTime: addMilliseconds(publication!.completionTime, -1_000 * (index + 1))
      }))
      for (const copy of copies) yield* transaction.insert(Publications, copy)
      return [publication!, ...copies].map(({ publicationId }) => publicationId)
    })
  )
})

const pagesOf = Effect.fnUntraced(function* (subjectId: string) {
  const pages: Array<ReadonlyArray<string>> = []
  for (let query = ""; ;) {
    const { publications, next } = createdBody(yield* listDisclosed(subjectId, query))
    pages.push(publications.map(({ publicationId }: { readonly publicationId: string }) => publicationId))
    if (next === null) return pages
    query = `?after=${next}`
  }
})

const another = ({ buyer, supplier }: IssuedResult) =>
  Effect.gen(function* () {
    const projectId = yield* agreementWithRecord({ buyer, supplier })
    const result = { buyer, supplier, projectId }
    yield* publish(result)
    return result
  })

layer(memoryTestService, { excludeTestServices: true })("the pages of the list of disclosed publications", (it) => {
  it.effect("The pages hold each disclosed publication once, 50 at a time, the latest completion first.", () =>
    Effect.gen(function* () {
      const { subjectId, projectId } = yield* publishedResult
      const page = limits.publicationsOnPage
      const ids = yield* storeCopies(projectId, 2 * page)
      const pages = yield* pagesOf(subjectId)
      assert.deepStrictEqual(pages, [ids.slice(0, page), ids.slice(page, 2 * page), ids.slice(2 * page)])
    })
  )

  it.effect("A full page is the last one if nothing follows it.", () =>
    Effect.gen(function* () {
      const { subjectId, projectId } = yield* publishedResult
      const ids = yield* storeCopies(projectId, limits.publicationsOnPage - 1)
      assert.deepStrictEqual(yield* pagesOf(subjectId), [ids])
    })
  )

  it.effect("Publications that a concern hides make pages shorter, and no cursor shows one to its reader.", () =>
    Effect.gen(function* () {
      const shown = yield* publishedResult
      const { subjectId } = shown
      const hidden = yield* another(shown)
      const ids = yield* storeCopies(shown.projectId, 60)
      // Later completions than those of the first result, so that they come first.
      const hiddenIds = yield* storeCopies(hidden.projectId, 120)
      yield* contest(hidden)
      const pages = yield* pagesOf(subjectId)
      assert.deepStrictEqual(pages.flat(), ids)
      // Each page examines as many publications as it can show, whether they are hidden or not.
      assert.lengthOf(pages, Math.ceil((ids.length + hiddenIds.length) / limits.publicationsOnPage))
      assert.isBelow(pages[0]!.length, limits.publicationsOnPage)
      const { next } = createdBody(yield* listDisclosed(subjectId))
      const changed = next.endsWith("A") ? `${next.slice(0, -1)}Q` : `${next.slice(0, -1)}A`
      assert.strictEqual((yield* listDisclosed(subjectId, `?after=${changed}`)).status, 400)
      const cursor = next.split(".").map((part: string) => Buffer.from(part, "base64url").toString("latin1"))
      assert.isFalse(cursor.some((part: string) => hiddenIds.some((id) => part.includes(id))))
    })
  )
})
