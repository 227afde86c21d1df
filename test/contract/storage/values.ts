/** Values at the limits: each reads back equal, or is refused before it reaches a store. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { RowOf } from "../../../src/ports/table.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { Entries, Facts } from "../tables.ts"
import { defectOf, openAccounts, project, test, type EmptyStore } from "./processes.ts"
import { fact, insertFacts } from "./ranges.ts"

type Changes = Partial<RowOf<typeof Facts>>

const storable: Readonly<Record<string, Changes>> = {
  "an empty text": { body: "" },
  "no text": { body: null },
  "text that resembles SQL": { body: "'; drop table facts; -- $1 \\ \" %" },
  "all sorts of text": { body: "\u0001\t\r\n\u007f\u0080é\ufeff\ufffe\uffff😀e\u0301" },
  "long text outside of an index": { body: "é".repeat(100_000) },
  "the largest number": { count: Number.MAX_SAFE_INTEGER },
  "the smallest number": { count: Number.MIN_SAFE_INTEGER },
  "the first instant": { happenedAt: "1970-01-01T00:00:00.000Z" as Instant },
  "the last instant": { happenedAt: "9999-12-31T23:59:59.999Z" as Instant },
  "a leap day": { happenedAt: "2028-02-29T23:59:59.001Z" as Instant },
  "a false": { isTrue: false },
  "nested objects": { payload: { b: [1, null, { c: "\u0001😀" }], a: { "": true, é: 1e21, z: 5e-324, y: -0.5 } } },
  "an array": { payload: [[], {}, "", 0, false, null] },
  "a text as JSON": { payload: "null" },
  "a number as JSON": { payload: 0.1 }
}

const changed: Readonly<Record<string, { readonly given: Changes; readonly read: Changes }>> = {
  "minus zero": { given: { count: -0, payload: { zero: -0 } }, read: { count: 0, payload: { zero: 0 } } },
  "a member that is undefined": { given: { payload: { a: undefined, b: 1 } }, read: { payload: { b: 1 } } }
}

const refused: Readonly<Record<string, { readonly given: Changes; readonly column: string }>> = {
  "NUL in text": { given: { body: "a\0b" }, column: "facts.body" },
  "a lone high surrogate": { given: { body: "a\ud800" }, column: "facts.body" },
  "a lone low surrogate": { given: { body: "\udc00a" }, column: "facts.body" },
  "NUL in a key": { given: { id: "\0" }, column: "facts.id" },
  "NUL inside JSON": { given: { payload: { a: ["\0"] } }, column: "facts.payload" },
  "a lone surrogate as a name inside JSON": { given: { payload: { "\ud800": 1 } }, column: "facts.payload" },
  "JSON null": { given: { payload: null }, column: "facts.payload" },
  "a number past the bound": { given: { count: Number.MAX_SAFE_INTEGER + 1 }, column: "facts.count" },
  "a number before the bound": { given: { count: Number.MIN_SAFE_INTEGER - 1 }, column: "facts.count" },
  "a fraction": { given: { count: 0.5 }, column: "facts.count" },
  NaN: { given: { count: Number.NaN }, column: "facts.count" },
  "a date that rolls over": { given: { happenedAt: "2026-02-30T00:00:00.000Z" as Instant }, column: "happenedAt" },
  "a leap day of another year": { given: { happenedAt: "2027-02-29T00:00:00.000Z" as Instant }, column: "happenedAt" },
  "a leap second": { given: { happenedAt: "2026-12-31T23:59:60.000Z" as Instant }, column: "happenedAt" },
  "hour 24": { given: { happenedAt: "2026-01-01T24:00:00.000Z" as Instant }, column: "happenedAt" },
  "an instant without milliseconds": { given: { happenedAt: "2026-01-01T00:00:00Z" as Instant }, column: "happenedAt" },
  "another zone": { given: { happenedAt: "2026-01-01T00:00:00.000+01:00" as Instant }, column: "happenedAt" },
  "513 bytes in an index": { given: { id: `${"é".repeat(256)}a` }, column: "facts.id" }
}

export const valueContract = (fresh: EmptyStore): void => {
  test(fresh, `These values read back equal: ${Object.keys(storable).join(", ")}.`, ({ here }) =>
    Effect.gen(function* () {
      const rows = Object.entries(storable).map(([id, given]) => fact(id, given))
      yield* insertFacts(here, rows)
      for (const row of rows) {
        assert.deepStrictEqual(yield* here.view((reader) => reader.get(Facts, [row.id])), row)
      }
    })
  )

  for (const [name, { given, read }] of Object.entries(changed)) {
    test(fresh, `${name} reads back as JSON represents it.`, ({ here }) =>
      Effect.gen(function* () {
        yield* insertFacts(here, [fact("a", given)])
        assert.deepStrictEqual(yield* here.view((reader) => reader.get(Facts, ["a"])), fact("a", read))
      })
    )
  }

  test(fresh, "The members of an object are read in one order, whatever order they were written in.", ({ here }) =>
    Effect.gen(function* () {
      yield* insertFacts(here, [fact("a", { payload: { bb: 1, a: 2, é: 3, c: { y: 1, x: 2 }, "10": 4, "9": 5 } })])
      const row = yield* here.view((reader) => reader.get(Facts, ["a"]))
      assert.strictEqual(JSON.stringify(row!.payload), '{"9":5,"10":4,"a":2,"c":{"x":2,"y":1},"bb":1,"é":3}')
    })
  )

  for (const [name, { given, column }] of Object.entries(refused)) {
    test(fresh, `${name} is refused as a value.`, ({ here }) =>
      Effect.gen(function* () {
        const message = yield* defectOf(here, { locks: [] }, (transaction) =>
          transaction.insert(Facts, fact("a", given))
        )
        assert.include(message, column)
      })
    )
  }

  test(fresh, "A text of 512 bytes can be a key and be in an ordered index.", ({ here }) =>
    Effect.gen(function* () {
      const text = "é".repeat(256)
      yield* openAccounts(here, [text])
      const entry = { accountId: text, number: 1, label: text, group: text }
      yield* here.transaction({ locks: [project(text)] }, (transaction) => transaction.insert(Entries, entry))
      const found = yield* here.view((reader) =>
        Effect.all([
          reader.find(Entries, "byLabel", [text, text]),
          reader.range(Entries, "byGroup", { prefix: [text, text], limit: 2 })
        ])
      )
      assert.deepStrictEqual(found, [entry, [entry]])
    })
  )

  test(fresh, "A text that cannot be stored finds no row.", ({ here }) =>
    Effect.gen(function* () {
      for (const text of ["\0", "a\ud800", "x".repeat(5000)]) {
        const found = yield* here.view((reader) =>
          Effect.all([reader.get(Facts, [text]), reader.range(Entries, "byGroup", { prefix: [text], limit: 1 })])
        )
        assert.deepStrictEqual(found, [undefined, []])
      }
    })
  )

  test(fresh, "Mutating a written or read value does not change the store.", ({ here }) =>
    Effect.gen(function* () {
      const payload = { list: [1] }
      yield* insertFacts(here, [fact("a", { payload })])
      payload.list.push(2)
      const read = yield* here.view((reader) => reader.get(Facts, ["a"]))
      ;(read!.payload as typeof payload).list.push(3)
      assert.deepStrictEqual((yield* here.view((reader) => reader.get(Facts, ["a"])))!.payload, { list: [1] })
    })
  )
}
