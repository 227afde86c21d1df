/** What becomes of a journal, however the notifications of the simulated provider arrive. */
import { readFileSync } from "node:fs"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { isObject } from "../../../simulator/vocabulary/json.ts"

const load = (part: string) => ({ file: part, text: readFileSync(`scenarios/${part}`, "utf8") })

/** A payment, a refund and a dispute with a notification each, which are lost at first and arrive in this order. */
const journalOf = (arriving: ReadonlyArray<"paid" | "refunded" | "disputed">): unknown => {
  const text = JSON.stringify({
    scenario: "Notifications in some order",
    start: "2026-12-01T09:00:00.000Z",
    steps: [
      ...["result-for-sale", "recipient-account", "open-attempt"].map((part) => ({ use: `parts/${part}.yaml` })),
      ...[
        { id: "paid", do: "pay" },
        { id: "refunded", do: "refund", input: { amountMinor: 2500 } },
        { id: "disputed", do: "dispute" }
      ].flatMap(({ id, ...act }) => [
        { as: "provider", on: "${attempt}", ...act },
        { id, as: "provider", do: "notify", on: "${attempt}", inject: "lost-request" },
        { advance: "10s" }
      ]),
      ...arriving.flatMap((retry) => [
        { retry, expect: { status: 204 } },
        { as: "operator", do: "readBackPayments" }
      ]),
      { as: "dana", do: "exportCommerceRecord", on: "${attempt}" }
    ]
  })
  const script = Result.getOrThrow(readScenario("inline.yaml", text, load))
  const { verdict, observations } = simulate(script, { file: "inline.yaml" })
  assert.strictEqual(verdict, "PASSED")
  const exported = observations.findLast(({ kind }) => kind === "response")
  assert(exported?.kind === "response" && isObject(exported.body))
  return exported.body
}

describe("notifications of the simulated provider", () => {
  const once = journalOf(["paid", "refunded", "disputed"])

  it.each([
    [["disputed", "refunded", "paid"]],
    [["refunded", "paid", "paid", "disputed", "refunded"]],
    [["disputed", "disputed", "disputed"]],
    [["paid"]]
  ] as const)("A journal has the bytes of notifications once and in order if they arrive as %j.", (arriving) => {
    assert.deepStrictEqual(journalOf(arriving), once)
  })
})
