/** The search on both stores: the same results in the same order, independent of the database's collation. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { publishSpecification } from "../../src/discovery/publish.ts"
import { searchSpecifications } from "../../src/discovery/search.ts"
import type { Content } from "../../src/discovery/specification.ts"
import { tokenize } from "../../src/discovery/tokenization.ts"
import { specificationOf, specificationStores } from "../support/specifications.ts"

const idsOf = (q: string, after?: string) =>
  Effect.map(searchSpecifications({ q, after }), ({ specifications }) => specifications.map(({ id }) => id))

/** Every page of a search. */
const allOf = Effect.fnUntraced(function* (q: string) {
  const ids: Array<string> = []
  let after: string | undefined
  do {
    const { specifications, next } = yield* searchSpecifications({ q, after })
    ids.push(...specifications.map(({ id }) => id))
    after = next ?? undefined
  } while (after !== undefined)
  return ids
})

for (const [name, store] of Object.entries(specificationStores)) {
  layer(store, { excludeTestServices: true })(`search results in ${name}`, (it) => {
    it.effect("Title matches come first, then results are ordered by id.", () =>
      Effect.gen(function* () {
        const places = [
          ["order-c", "Quokka care", "For zoos"],
          ["order-a", "Zoo care", "For each quokka"],
          ["order-b", "Quokka", "For the care of one"],
          ["order-d", "Care of quokkas", "For zoos"]
        ] as const
        for (const [id, title, summary] of places) yield* publishSpecification(specificationOf(id, { title, summary }))
        assert.deepStrictEqual(yield* idsOf("CARE quok"), ["order-c", "order-d", "order-a", "order-b"])
        assert.deepStrictEqual(yield* idsOf("quokka"), ["order-b", "order-c", "order-d", "order-a"])
        assert.deepStrictEqual(yield* idsOf("quokka zebu"), [])
        assert.deepStrictEqual(yield* idsOf("uokka"), [])
        assert.deepStrictEqual(yield* searchSpecifications({ q: "?!" }), { specifications: [], next: null })
      })
    )

    it.effect("A prefix shared by more words than one read returns finds all specifications.", () =>
      Effect.gen(function* () {
        // The first read of 500 rows ends among the rows of one word.
        for (const [id, count] of [
          ["a", 200],
          ["b", 200],
          ["c", 98]
        ] as const) {
          const words = Array.from({ length: count }, (_, index) => `ж${100 + index}`)
          yield* publishSpecification(specificationOf(`wordy-${id}`, { summary: words.join(" ") }))
        }
        const sharing = [1, 2, 3, 4, 5].map((number) => `wordy-${number}`)
        for (const id of sharing) yield* publishSpecification(specificationOf(id, { summary: "жж" }))
        assert.deepStrictEqual(yield* idsOf("ж"), [...sharing, "wordy-a", "wordy-b", "wordy-c"])
      })
    )

    it.effect("A word longer than the index length is matched in full.", () =>
      Effect.gen(function* () {
        const long = "𐐨".repeat(90) + "x".repeat(300)
        yield* publishSpecification(specificationOf("long-a", { summary: `${long}a` }))
        yield* publishSpecification(specificationOf("long-b", { summary: `${long}b` }))
        assert.deepStrictEqual(yield* idsOf("𐐨".repeat(60)), ["long-a", "long-b"])
        assert.deepStrictEqual(yield* idsOf(`${long}b`), ["long-b"])
        assert.deepStrictEqual(yield* idsOf(`${long}c`), [])
      })
    )

    it.effect("The search is independent of the collation order of a language.", () =>
      Effect.gen(function* () {
        // A language's collation would place these beside other letters or ignore them.
        const words = ["ærø", "aero", "zebra", "ångström", "coop", "co", "chico", "llama", "żółć", "ԱՐԵՎ", "𐐀𐐀", "𠮷野"]
        const marked = [
          "résumé",
          "resume",
          "نَصّ",
          "نص",
          "שָׁלוֹם",
          "שלום",
          "ที่",
          "ท",
          "ｆｕｌｌ",
          "\uffee",
          "ﬀ",
          "\u{1f1e6}"
        ]
        const all = [...words, ...marked]
        for (const [index, word] of all.entries()) {
          yield* publishSpecification(specificationOf(`language-${index}`, { title: `${word} lang` }))
        }
        for (const [index, word] of all.entries()) {
          const [folded] = tokenize(word)
          if (folded === undefined) continue
          const expected = all.flatMap((other, at) =>
            tokenize(other)[0]?.startsWith(folded) ? [`language-${at}`] : []
          )
          assert.include(expected, `language-${index}`)
          assert.deepStrictEqual(yield* idsOf(`${word} lang`), expected.sort(), word)
        }
      })
    )

    it.effect("Pages of a search skip and repeat nothing under concurrent publications.", () =>
      Effect.gen(function* () {
        const count = 47
        const idAt = (index: number) => `page-${String(index).padStart(3, "0")}`
        const isByTitle = (index: number) => index % 3 === 0
        const publish = (index: number) =>
          publishSpecification(
            specificationOf(idAt(index), isByTitle(index) ? { title: "Pageable" } : { summary: "Pageable" })
          )
        for (let index = 0; index < count; index++) yield* publish(index * 2)
        const first = yield* searchSpecifications({ q: "pageable" })
        assert.lengthOf(first.specifications, 20)
        for (let index = 0; index < count; index++) yield* publish(index * 2 + 1)
        const rest: Array<string> = []
        let after = first.next
        while (after !== null) {
          const { specifications, next } = yield* searchSpecifications({ q: "PAGEABLE", after })
          rest.push(...specifications.map(({ id }) => id))
          after = next
        }
        const seen = [...first.specifications.map(({ id }) => id), ...rest]
        assert.strictEqual(new Set(seen).size, seen.length)
        for (let index = 0; index < count; index++) assert.include(seen, idAt(index * 2))
        const all = yield* allOf("pageable")
        const indexes = Array.from({ length: count * 2 }, (_, index) => index)
        assert.deepStrictEqual(all, [
          ...indexes.filter(isByTitle).map(idAt),
          ...indexes.filter((index) => !isByTitle(index)).map(idAt)
        ])
      })
    )

    it.effect("A cursor of another search or a malformed one is refused.", () =>
      Effect.gen(function* () {
        for (let index = 0; index < 21; index++) yield* publishSpecification(specificationOf(`cursor-${index}`))
        const { next } = yield* searchSpecifications({ q: "cursor" })
        assert.lengthOf(yield* idsOf("cursor", next!), 1)
        const bytes = (text: string) => Buffer.from(text).toString("base64url")
        const whole = Buffer.from(next!, "base64url").toString()
        const wrong = ["", "x", `${next}=`, `${next}A`, bytes("{}"), bytes(`${whole} `), bytes(whole.replace(".", ""))]
        const others = [bytes(whole.replace(/\.\d\./, ".3.")), bytes(whole.replace(/^./, "g")), "\ud800", "😀"]
        for (const after of [...wrong, ...others]) {
          const refused = yield* Effect.flip(searchSpecifications({ q: "cursor", after }))
          assert.strictEqual(refused.code, "INVALID_REQUEST", after)
          assert.strictEqual(refused.facts.issues?.[0]?.path, "after")
        }
        for (const q of ["title", "?"]) {
          assert.strictEqual((yield* Effect.flip(searchSpecifications({ q, after: next! }))).code, "INVALID_REQUEST")
        }
      })
    )
  })
}

// Few letters, so that words collide; some of them are ordered differently by stores.
const letters = [
  "a",
  "A",
  "b",
  "ß",
  "ẞ",
  "s",
  "é",
  "e\u0301",
  "e",
  "ς",
  "Σ",
  "İ",
  "i",
  "ａ",
  "𐐀",
  "𐐨",
  "ﬀ",
  "f",
  "\uffdc",
  "ท",
  "ี",
  "1",
  "²"
]
const wordOf = fc
  .array(fc.constantFrom(...letters, "a", "A", "a", "s", "s"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""))
const textOf = fc.array(wordOf, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))
const catalogue = fc.array(fc.record({ title: textOf, summary: textOf }), { minLength: 25, maxLength: 40 })
const questions = fc.array(
  fc.oneof(
    fc.constantFrom(...letters),
    fc.array(wordOf, { minLength: 1, maxLength: 2 }).map((words) => words.join("-"))
  ),
  { minLength: 60, maxLength: 80 }
)

/** The reference search: a linear scan. */
const linearScan = (all: ReadonlyArray<Content>, q: string): ReadonlyArray<string> => {
  const words = tokenize(q)
  const matches = (text: string) => {
    const textWords = tokenize(text)
    return words.every((word) => textWords.some((one) => one.startsWith(word)))
  }
  const found = all.filter(({ title, summary }) => matches(`${title} ${summary}`))
  const byTitle = found.filter(({ title }) => matches(title))
  return [...byTitle, ...found.filter((one) => !byTitle.includes(one))].map(({ id }) => id)
}

for (const [name, store] of Object.entries(specificationStores)) {
  layer(store, { excludeTestServices: true })(`the search against a linear scan in ${name}`, (it) => {
    it.effect("The search equals a linear scan of the catalogue.", () =>
      Effect.gen(function* () {
        const reached = { nothing: 0, byTitle: 0, bySummary: 0, both: 0, pages: 0 }
        for (const [run, { texts, asked }] of fc
          .sample(fc.record({ texts: catalogue, asked: questions }), { numRuns: 5, seed: 5 })
          .entries()) {
          // One catalogue for all runs: entries of earlier runs are replaced.
          const all = texts.map((text, index) =>
            specificationOf(`s-${String(index).padStart(2, "0")}`, { ...text, scope: `${run}` })
          )
          for (const content of all) yield* publishSpecification(content)
          for (let index = texts.length; index < 40; index++) {
            all.push(specificationOf(`s-${index}`, { title: "Gone", summary: "Gone", scope: `${run}` }))
            yield* publishSpecification(all.at(-1)!)
          }
          for (const q of asked) {
            const expected = linearScan(all, q)
            assert.deepStrictEqual(yield* allOf(q), [...expected], JSON.stringify(q))
            const titles = linearScan(
              all.map((one) => ({ ...one, summary: "" })),
              q
            ).length
            if (expected.length === 0) reached.nothing++
            else if (titles === expected.length) reached.byTitle++
            else if (titles === 0) reached.bySummary++
            else reached.both++
            if (expected.length > 20) reached.pages++
          }
        }
        for (const [what, count] of Object.entries(reached))
          assert.isAbove(count, 0, `${what}: ${JSON.stringify(reached)}`)
      })
    )
  })
}
