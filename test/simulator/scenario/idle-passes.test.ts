/** Passes of the worker that find nothing are skipped, and nothing shows it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import type { Scenario } from "../../../simulator/scenario/format/scenario.ts"
import { Session } from "../../../simulator/scenario/session.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"

const folder = path.resolve(import.meta.dirname, "../../../scenarios")

/** A scenario that continues with these steps. */
const continued = (name: string, steps: string): Scenario => {
  const file = path.join(folder, name, "scenario.yaml")
  const text = `${fs.readFileSync(file, "utf8").trimEnd()}\n${steps}\n`
  return Result.getOrThrow(
    readScenario(name, text, (used) => {
      const part = path.join(path.dirname(file), used)
      return { file: part, text: fs.readFileSync(part, "utf8") }
    })
  )
}

const run = (scenario: Scenario, skipsIdlePasses: boolean) => simulate(scenario, { file: "inline", skipsIdlePasses })

const webhookWorld = {
  organizations: { harbor: "Harbor Museum" },
  people: { dana: { name: "Dana Okafor", member: { harbor: ["DELEGATE"] } } },
  receivers: { hooks: { host: "hooks.example.com" } },
  worker: ["CALLBACKS", "RECORDS", "CONNECTIONS", "PAYMENTS"]
} as const

const session = (skipsIdlePasses: boolean): Session => {
  const { start } = continued("webhooks/retries-until-acknowledged", "")
  return new Session(
    { title: "Idle", say: undefined, seed: 1, start, given: webhookWorld, properties: [] },
    { skipsIdlePasses }
  )
}

describe("Idle passes", () => {
  it.each([
    ["a subscription expires", "webhooks/retries-until-acknowledged", "  - { advance: 1d }"],
    ["deliveries are exhausted", "webhooks/exhausted-and-redelivered", "  - { advance: 6h }\n  - { advance: 7s }"],
    ["connections end", "agents/connection-endings", "  - { advance: 2h }"],
    ["a record waits for a credit", "agreements/issuance-without-credit", "  - { advance: 1h }"],
    ["a fault waits for the worker", "races/worker-begin-failures", "  - { advance: 30m }"]
  ])("A trace is the same with and without them: %s.", (_, name, steps) => {
    const scenario = continued(name, steps)
    const [skipped, complete] = [run(scenario, true), run(scenario, false)]
    assert.strictEqual(complete.verdict, "PASSED", complete.story)
    assert.strictEqual(skipped.trace, complete.trace)
    assert.strictEqual(skipped.story, complete.story)
  })

  it("As many timers fire with and without them, and random streams continue at the same place.", () => {
    const [skipped, complete] = [session(true), session(false)]
    for (const step of [{ advance: "11h 7s" }, { as: "dana", do: "signIn" }, { advance: "1d" }]) {
      assert.strictEqual(skipped.do(step).fired, complete.do(step).fired)
    }
    assert.strictEqual(skipped.trace, complete.trace)
    assert.deepStrictEqual([...skipped.scheduler.streams.drawn], [...complete.scheduler.streams.drawn])
  })

  it("A year without work fires 365 times as many timers as a day.", () => {
    const withoutOwn = (days: string, skips: boolean) => session(skips).do({ advance: days }).fired - 1
    assert.strictEqual(withoutOwn("365d", true), 365 * withoutOwn("1d", false))
  })
})
