/** Publishing, reading and pinning on both stores: equal results and immutable versions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { checkPin } from "../../src/discovery/pin.ts"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { readSpecification } from "../../src/discovery/read.ts"
import { searchSpecifications } from "../../src/discovery/search.ts"
import { digestOfDocument, documentOf, type Content } from "../../src/discovery/specification.ts"
import { SpecificationVersions, SpecificationWords } from "../../src/discovery/store.ts"
import { rangeAll } from "../../src/ports/storage/range-all.ts"
import { Storage } from "../../src/ports/storage.ts"
import { specificationOf, specificationStores } from "../support/specifications.ts"

const idsOf = (q: string, after?: string) =>
  Effect.map(searchSpecifications({ q, after }), ({ specifications }) => specifications.map(({ id }) => id))

for (const [name, store] of Object.entries(specificationStores)) {
  layer(store, { excludeTestServices: true })(`specifications in ${name}`, (it) => {
    it.effect("Each publication gets the next version and keeps its document and digest.", () =>
      Effect.gen(function* () {
        const first = specificationOf("versions", { baselineStatement: "As it is.", references: ["ISO 1", "ISO 2"] })
        const second = specificationOf("versions", { title: "Another title" })
        const published = [yield* publishSpecification(first), yield* publishSpecification(second)]
        assert.deepStrictEqual(
          published.map(({ id, version }) => [id, version]),
          [
            ["versions", 1],
            ["versions", 2]
          ]
        )
        for (const [index, content] of [first, second].entries()) {
          const { document, digest, newestVersion } = yield* readSpecification("versions", index + 1)
          assert.deepStrictEqual(document, documentOf(content, index + 1))
          assert.strictEqual(digest, digestOfDocument(document))
          assert.strictEqual(digest, published[index]!.digest)
          assert.strictEqual(newestVersion, 2)
        }
        const absent = [
          readSpecification("versions", 3),
          readSpecification("versions", 0),
          readSpecification("version", 1)
        ]
        for (const read of absent) assert.strictEqual((yield* Effect.flip(read)).code, "NOT_FOUND")
      })
    )

    it.effect("Publishing equal content again returns the existing version, whatever the member order.", () =>
      Effect.gen(function* () {
        const first = specificationOf("again")
        const one = yield* publishSpecification(first)
        const two = yield* publishSpecification({ ...first, scope: "More." })
        const turned = Object.fromEntries(Object.entries(first).reverse()) as unknown as Content
        assert.deepStrictEqual(yield* publishSpecification(turned), one)
        assert.deepStrictEqual(yield* publishSpecification({ ...first, scope: "More." }), two)
        const storage = yield* Storage
        const kept = yield* storage.view((reader) =>
          rangeAll(reader, SpecificationVersions, "key", { prefix: ["again"] })
        )
        assert.lengthOf(kept, 2)
        assert.strictEqual((yield* searchSpecifications({ q: "again" })).specifications[0]!.version, 2)
      })
    )

    it.effect("Concurrent publications of one id get consecutive versions.", () =>
      Effect.gen(function* () {
        const contents = [1, 2, 3, 4].map((number) => specificationOf("at-once", { scope: `Scope ${number}` }))
        const published = yield* Effect.forEach([...contents, ...contents], publishSpecification, {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(published.map(({ version }) => version).sort(), [1, 1, 2, 2, 3, 3, 4, 4])
      })
    )

    it.effect("A specification is found by the words of its newest version only.", () =>
      Effect.gen(function* () {
        yield* publishSpecification(specificationOf("moves", { title: "Former kept", summary: "zebra" }))
        assert.deepStrictEqual(yield* idsOf("former zebra"), ["moves"])
        yield* publishSpecification(specificationOf("moves", { title: "Latter kept", summary: "yak" }))
        assert.deepStrictEqual(yield* idsOf("former"), [])
        assert.deepStrictEqual(yield* idsOf("zebra"), [])
        assert.deepStrictEqual(yield* idsOf("yak kept latt"), ["moves"])
        const storage = yield* Storage
        const words = yield* storage.view((reader) =>
          rangeAll(reader, SpecificationWords, "bySpecification", { prefix: ["moves"] })
        )
        assert.deepStrictEqual(
          words.map(({ word }) => word),
          ["kept", "latter", "yak"]
        )
      })
    )

    it.effect("A pin must name an existing version and its digest.", () =>
      Effect.gen(function* () {
        const { digest } = yield* publishSpecification(specificationOf("pinned"))
        const storage = yield* Storage
        const check = (pin: { readonly id: string; readonly version: number; readonly digest?: string }) =>
          storage.view((reader) => checkPin(reader, pin))
        assert.strictEqual(yield* check({ id: "pinned", version: 1 }), digest)
        assert.strictEqual(yield* check({ id: "pinned", version: 1, digest }), digest)
        const other = check({ id: "pinned", version: 1, digest: "0".repeat(64) })
        assert.strictEqual((yield* Effect.flip(other)).code, "SPECIFICATION_DIGEST_MISMATCH")
        for (const pin of [
          { id: "pinned", version: 2 },
          { id: "unpinned", version: 1 }
        ]) {
          assert.strictEqual((yield* Effect.flip(check(pin))).code, "UNKNOWN_SPECIFICATION")
        }
      })
    )
  })
}
