/** Numbers, days and optional texts as people enter them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { decodeForm } from "../../src/workspace/kit/form.ts"
import { optionalDay, optionalLines, wholeNumber } from "../../src/workspace/kit/form-values.ts"

const schema = Schema.Struct({
  days: wholeNumber("The days", 1, 30),
  until: optionalDay("The last day"),
  note: optionalLines("The note", 5)
})

const fine = { days: "7", until: "", note: "" }

const decode = (change: object) =>
  Effect.map(
    decodeForm(schema, {
      fields: Object.fromEntries(Object.entries({ ...fine, ...change }).filter(([, value]) => value !== undefined)),
      formToken: undefined
    }),
    Result.match({
      onFailure: ({ problems }) => problems.map(({ message }) => message),
      onSuccess: (values): object => values
    })
  )

describe("values of a form", () => {
  it.effect.each([
    [{}, { days: 7, until: undefined, note: "" }],
    [{ days: " 30 " }, { days: 30, until: undefined, note: "" }],
    [{ days: "01" }, { days: 1, until: undefined, note: "" }],
    [{ until: "2028-02-29" }, { days: 7, until: "2028-02-29T23:59:59.999Z", note: "" }],
    [{ note: " a\nb " }, { days: 7, until: undefined, note: "a\nb" }]
  ] as const)("A form value is decoded from %o.", ([change, values]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decode(change), values)
    })
  )

  const notDays = "The days: a whole number from 1 to 30."
  const noDay = "The last day is a date such as 2026-11-21."

  it.effect.each([
    [{ days: "" }, notDays],
    [{ days: "0" }, notDays],
    [{ days: "31" }, notDays],
    [{ days: "-1" }, notDays],
    [{ days: "1e1" }, notDays],
    [{ days: "0x1" }, notDays],
    [{ days: "٣" }, notDays],
    [{ days: "9".repeat(400) }, notDays],
    [{ days: undefined }, "The days: fill in this field once."],
    [{ days: ["1", "2"] }, "The days: fill in this field once."],
    [{ until: "2027-02-29" }, noDay],
    [{ until: "0000-01-01" }, noDay],
    [{ until: "10000-01-01" }, noDay],
    [{ until: "2027-01-01T00:00" }, noDay],
    [{ until: undefined }, "The last day: fill in this field once."],
    [{ note: "abcdef" }, "The note has at most 5 characters."]
  ] as const)("A form value %o is refused.", ([change, message]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* decode(change), [message])
    })
  )
})
