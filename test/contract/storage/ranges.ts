/** Rows in the order of an index: ties, pages, both directions, and text ordered by its bytes. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rangeAll } from "../../../src/ports/storage/range-all.ts"
import type { FilterCondition, Range } from "../../../src/ports/storage.ts"
import type { RowOf } from "../../../src/ports/table.ts"
import { fromMilliseconds, never } from "../../../src/vocabulary/instant.ts"
import { Accounts, Entries, Facts, Jobs } from "../tables.ts"
import { openAccounts, project, test, type EmptyStore, type Store } from "./processes.ts"

const at = (milliseconds: number) => fromMilliseconds(Date.UTC(2026, 0, 1) + milliseconds)

export const fact = (id: string, changes: Partial<RowOf<typeof Facts>> = {}): RowOf<typeof Facts> => ({
  id,
  body: null,
  count: 0,
  isTrue: true,
  happenedAt: at(0),
  payload: {},
  ...changes
})

export const insertFacts = (store: Store, facts: ReadonlyArray<RowOf<typeof Facts>>): Effect.Effect<void> =>
  store.transaction({ locks: [] }, (transaction) =>
    Effect.forEach(facts, (row) => transaction.insert(Facts, row), { discard: true })
  )

const idsInRange = (store: Store, index: "byTime" | "byCount" | "key", range: Range) =>
  Effect.map(
    store.view((reader) => reader.range(Facts, index, range)),
    (rows) => rows.map((row) => row.id)
  )

export const rangeContract = (fresh: EmptyStore): void => {
  test(fresh, "Pages over rows with ties contain each row exactly once.", ({ here }) =>
    Effect.gen(function* () {
      const facts = ["e", "b", "d", "a", "c"].map((id, index) => fact(id, { happenedAt: at(index % 2) }))
      yield* insertFacts(here, facts)
      const expected = ["a", "b", "c", "d", "e"].toSorted((x, y) => time(facts, x) - time(facts, y))
      assert.deepStrictEqual(yield* idsInRange(here, "byTime", { prefix: [], limit: 9 }), expected)
      assert.deepStrictEqual(
        yield* idsInRange(here, "byTime", { prefix: [], limit: 9, direction: "descending" }),
        expected.toReversed()
      )
      for (const direction of ["ascending", "descending"] as const) {
        const ids: Array<string> = []
        for (;;) {
          const last = facts.find((row) => row.id === ids.at(-1))
          const after = last === undefined ? {} : { after: [last.happenedAt, last.id] }
          const page = yield* idsInRange(here, "byTime", { prefix: [], limit: 2, direction, ...after })
          if (page.length === 0) break
          assert.isAtMost(page.length, 2)
          ids.push(...page)
        }
        assert.deepStrictEqual(ids, direction === "ascending" ? expected : expected.toReversed())
      }
    })
  )

  test(fresh, "A prefix limits a range in both directions, even if `after` is not an existing row.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a", "b"])
      yield* here.transaction({ locks: [project("a"), project("b")] }, (transaction) =>
        Effect.forEach(["a", "b"], (accountId) =>
          Effect.forEach([1, 2, 3, 4], (number) =>
            transaction.insert(Entries, { accountId, number, label: `${number}`, group: number < 3 ? "low" : "up" })
          )
        )
      )
      const numbers = (range: Range, index: "byGroup" | "key" = "byGroup") =>
        Effect.map(
          here.view((reader) => reader.range(Entries, index, range)),
          (rows) => rows.map((row) => row.number)
        )
      assert.deepStrictEqual(yield* numbers({ prefix: ["a", "low"], limit: 9 }), [1, 2])
      assert.deepStrictEqual(yield* numbers({ prefix: ["a"], after: ["low", 1], limit: 2 }), [2, 3])
      assert.deepStrictEqual(yield* numbers({ prefix: ["a"], after: ["m", 0], limit: 9 }), [3, 4])
      assert.deepStrictEqual(
        yield* numbers({ prefix: ["a"], after: ["m", 0], limit: 9, direction: "descending" }),
        [2, 1]
      )
      assert.deepStrictEqual(
        yield* numbers({ prefix: ["a"], after: [2], limit: 9, direction: "descending" }, "key"),
        [1]
      )
      assert.deepStrictEqual(yield* numbers({ prefix: ["a"], after: [99], limit: 9 }, "key"), [])
      assert.deepStrictEqual(yield* numbers({ prefix: ["a", 3], limit: 9 }, "key"), [3])
      assert.deepStrictEqual(yield* numbers({ prefix: ["a"], limit: 0 }), [])
      assert.deepStrictEqual(yield* numbers({ prefix: ["c"], limit: 9 }), [])
    })
  )

  test(fresh, "A range of a unique index is in the order of its columns.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a", "b"])
      yield* here.transaction({ locks: [project("a"), project("b")] }, (transaction) =>
        Effect.forEach(["a", "b"], (accountId) =>
          Effect.forEach([1, 2, 3], (number) =>
            transaction.insert(Entries, { accountId, number, label: `${9 - number}`, group: "" })
          )
        )
      )
      const labels = (range: Range) =>
        Effect.map(
          here.view((reader) => reader.range(Entries, "byLabel", range)),
          (rows) => rows.map((row) => row.label)
        )
      assert.deepStrictEqual(yield* labels({ prefix: ["a"], limit: 9 }), ["6", "7", "8"])
      assert.deepStrictEqual(yield* labels({ prefix: ["a"], after: ["6"], limit: 1 }), ["7"])
      assert.deepStrictEqual(yield* labels({ prefix: ["a"], limit: 2, direction: "descending" }), ["8", "7"])
    })
  )

  test(fresh, "A range of a partial index leaves out the rows in which its column is `never`.", ({ here }) =>
    Effect.gen(function* () {
      const jobs = [at(1), never, at(0), never].map((dueAt, index) => ({
        id: `${index}`,
        dueAt,
        leasedUntil: null,
        token: null
      }))
      yield* here.transaction({ locks: [] }, (transaction) =>
        Effect.forEach(jobs, (job) => transaction.insert(Jobs, job), { discard: true })
      )
      for (const [direction, expected] of [
        ["ascending", ["2", "0"]],
        ["descending", ["0", "2"]]
      ] as const) {
        const found = yield* here.view((reader) => reader.range(Jobs, "byDue", { prefix: [], limit: 9, direction }))
        const ids: ReadonlyArray<string> = found.map(({ id }) => id)
        assert.deepStrictEqual(ids, expected)
      }
      assert.lengthOf(yield* here.view((reader) => reader.range(Jobs, "key", { prefix: [], limit: 9 })), 4)
    })
  )

  test(fresh, "rangeAll returns each row of a range exactly once, whatever the number of pages is.", ({ here }) =>
    Effect.gen(function* () {
      const sizes = { none: 0, page: 500, more: 501, pages: 1_000, most: 1_203 }
      yield* openAccounts(here, Object.keys(sizes))
      for (const [accountId, size] of Object.entries(sizes)) {
        const numbers = Array.from({ length: size }, (_, number) => number)
        yield* here.transaction({ locks: [project(accountId)] }, (transaction) =>
          Effect.forEach(
            numbers,
            (number) => transaction.insert(Entries, { accountId, number, label: `${number}`, group: `${number % 2}` }),
            { discard: true }
          )
        )
        const byGroup = [
          ...numbers.filter((number) => number % 2 === 0),
          ...numbers.filter((number) => number % 2 === 1)
        ]
        for (const [index, expected] of [
          ["key", numbers],
          ["byGroup", byGroup]
        ] as const) {
          const read = (direction?: "ascending" | "descending") =>
            Effect.map(
              here.view((reader) =>
                rangeAll(reader, Entries, index, { prefix: [accountId], ...(direction && { direction }) })
              ),
              (rows) => rows.map((row) => row.number)
            )
          assert.deepStrictEqual(yield* read(), expected)
          assert.deepStrictEqual(yield* read("descending"), expected.toReversed())
        }
      }
    })
  )

  test(
    fresh,
    "A filtered range has the rows whose related row meets every condition, in order and up to the limit.",
    ({ here }) =>
      Effect.gen(function* () {
        const owners = { a: "North Harbor", b: null, c: "South harbor", d: "100% Harbor\\_", e: "harbor" }
        yield* here.transaction({ locks: Object.keys(owners).map(project) }, (transaction) =>
          Effect.forEach(Object.entries(owners), ([id, owner]) =>
            transaction.insert(Accounts, { id, balance: 0, paused: false, owner })
          )
        )
        yield* insertFacts(
          here,
          ["a", "b", "c", "d", "e", "none"].map((id) => fact(id))
        )
        const found = (conditions: ReadonlyArray<FilterCondition>, range: Partial<Range> = {}) =>
          idsInRange(here, "key", {
            prefix: [],
            limit: 9,
            matching: { related: { table: Accounts, by: "id", conditions } },
            ...range
          })
        const owner = (contains: string) => [{ column: "owner", contains }]
        assert.deepStrictEqual(yield* found(owner("arbor")), ["a", "c", "d", "e"])
        assert.deepStrictEqual(yield* found(owner("arbor"), { limit: 2, direction: "descending" }), ["e", "d"])
        assert.deepStrictEqual(yield* found(owner("arbor"), { limit: 2, after: ["a"] }), ["c", "d"])
        assert.deepStrictEqual(yield* found(owner("")), ["a", "c", "d", "e"])
        for (const text of ["%", "_", "\\", "100% H"]) assert.deepStrictEqual(yield* found(owner(text)), ["d"], text)
        assert.deepStrictEqual(yield* found(owner("HARBOR")), [])
        assert.deepStrictEqual(yield* found(owner("a\0")), [])
        assert.deepStrictEqual(yield* found([{ column: "id", among: ["e", "b", "none", "x"] }]), ["b", "e"])
        assert.deepStrictEqual(yield* found([{ column: "id", among: [] }]), [])
        assert.deepStrictEqual(yield* found([{ column: "id", among: ["a", "b", "e"] }, ...owner("H")]), ["a"])
        const own = [{ column: "id", among: ["none", "d", "c"] }]
        assert.deepStrictEqual(yield* found([], { matching: { own } }), ["c", "d", "none"])
        assert.deepStrictEqual(yield* found([], { matching: { own: [] }, limit: 2 }), ["a", "b"])
        assert.deepStrictEqual(yield* found([], { matching: { own: [...own, { column: "id", contains: "on" }] } }), [
          "none"
        ])
        const related = { table: Accounts, by: "id", conditions: owner("%") }
        assert.deepStrictEqual(yield* found([], { matching: { own, related } }), ["d"])
      })
  )

  test(fresh, "Text is ordered by its UTF-8 bytes.", ({ here }) =>
    Effect.gen(function* () {
      const ids = [
        "",
        "A",
        "Z",
        "_",
        "a",
        "a ",
        "a!",
        "aa",
        "é",
        "z",
        "ß",
        "İ",
        "Ω",
        "中",
        "\uffff",
        "😀",
        "\u{10ffff}"
      ]
      yield* insertFacts(
        here,
        ids.toReversed().map((id) => fact(id))
      )
      const bytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.deepStrictEqual(yield* idsInRange(here, "key", { prefix: [], limit: 99 }), bytes)
      assert.deepStrictEqual(
        yield* idsInRange(here, "key", { prefix: [], after: ["中"], limit: 99 }),
        bytes.slice(bytes.indexOf("中") + 1)
      )
    })
  )

  test(fresh, "Numbers are ordered numerically.", ({ here }) =>
    Effect.gen(function* () {
      const counts = [10, 9, -1, -10, 0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
      yield* insertFacts(
        here,
        counts.map((count) => fact(`count ${count}`, { count }))
      )
      assert.deepStrictEqual(
        yield* idsInRange(here, "byCount", { prefix: [], limit: 99 }),
        counts.toSorted((a, b) => a - b).map((count) => `count ${count}`)
      )
    })
  )
}

const time = (facts: ReadonlyArray<RowOf<typeof Facts>>, id: string): number =>
  Date.parse(facts.find((row) => row.id === id)!.happenedAt) * 100 + id.charCodeAt(0)
