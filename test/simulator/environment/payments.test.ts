import { readFileSync } from "node:fs"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readTrace } from "../../../simulator/observation/trace.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"

const load = (part: string) => ({ file: part, text: readFileSync(`scenarios/${part}`, "utf8") })

/** A run of these steps after an attempt to pay 100 euros was opened. */
const runAfterOpening = (steps: string) => {
  const text = `scenario: A payment attempt
start: 2026-12-01T09:00:00.000Z
steps:
  - { use: parts/result-for-sale.yaml }
  - { use: parts/recipient-account.yaml }
  - { use: parts/open-attempt.yaml }
${steps}`
  return simulate(Result.getOrThrow(readScenario("payment.yaml", text, load)), { file: "payment.yaml" })
}

const callsIn = (trace: string, call: string) =>
  readTrace(trace).filter((line) => line["kind"] === "payments" && line["call"] === call)

const poll = `  - { advance: 2m }
  - { as: operator, do: readBackPayments }
`

describe("the payment provider of a world", () => {
  it("An act that is impossible at the provider ends the run as unusable, with the reason.", () => {
    const run = runAfterOpening(`  - { as: provider, do: refund, on: "\${attempt}" }\n`)
    assert.strictEqual(run.verdict, "UNUSABLE")
    assert.include(run.story, "the checkout is not paid")
  })

  it("The provider's clock has no offset, whatever the clock of the service.", () => {
    const late = runAfterOpening(
      `  - { as: operator, do: setClock, input: { process: service, offset: -1s } }
  - { until: 2026-12-01T10:00:00.000Z }
  - { as: operator, do: readBackPayments }
  - { as: dana, do: signIn }
  - { as: dana, do: readResultOrder, on: "\${order}", expect: { body: { attempts.0.state: RELEASED } } }
`
    )
    assert.strictEqual(late.verdict, "PASSED", late.story)
  })

  it("A service that crashes after its opening was committed leaves one checkout, which the worker opens.", () => {
    const run = runAfterOpening(
      `  - { as: provider, do: expire, on: "\${attempt}" }
${poll}  - { as: dana, do: readResultOrder, on: "\${order}" }
  - { as: dana, do: payResultOrder, on: "\${order}", inject: { crash: after-commit, in: commerce_orders } }
${poll}  - as: dana
    do: readResultOrder
    on: \${order}
    expect: { body: { state: PAYING, attempts.1.state: OPEN } }
`
    )
    assert.strictEqual(run.verdict, "PASSED", run.story)
    const opened = callsIn(run.trace, "openCheckout").map(({ answer }) => answer)
    assert.lengthOf(opened, 2)
    assert.strictEqual(new Set(opened).size, 2)
  })

  it("A lost opening and its repetition are answered with the same checkout.", () => {
    const trace = readFileSync("scenarios/commerce/lost-opening/trace.ndjson", "utf8")
    const [lost, repeated] = callsIn(trace, "openCheckout")
    assert.deepInclude(lost, { answer: "ProviderUnavailable", fault: "LOST" })
    assert.deepInclude(repeated, { answer: "cs_sim_2", on: lost?.["on"] })
  })
})
