import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { faults, faultsIn } from "../../../../simulator/environment/faults/catalogue.ts"
import { readScenario } from "../../../../simulator/scenario/format/read.ts"
import { readTrace } from "../../../../simulator/observation/trace.ts"

const scenarios = path.resolve("scenarios")

const seenIn = new Map<string, ReadonlySet<string>>()
const seenInScenario = (name: string): ReadonlySet<string> => {
  const known = seenIn.get(name)
  if (known !== undefined) return known
  const file = path.join(scenarios, name, "trace.ndjson")
  const seen = fs.existsSync(file) ? faultsIn(readTrace(fs.readFileSync(file, "utf8"))) : new Set<string>()
  seenIn.set(name, seen)
  return seen
}

const traceWith = (name: string): string => {
  const names = fs
    .readdirSync(scenarios, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "trace.ndjson")
    .map((file) => path.dirname(file))
  return names.find((scenario) => seenInScenario(scenario).has(name)) ?? "no committed trace"
}

describe("fault catalogue", () => {
  it.each(faults.map(({ name, scenario }) => [name, scenario]))(
    "The fault '%s' occurs in the trace of %s",
    (name, scenario) => {
      if (seenInScenario(scenario).has(name)) return
      assert.fail(`${name} does not occur in the trace of ${scenario || "any scenario"}, but in ${traceWith(name)}`)
    }
  )

  it("Fault names are unique", () => {
    const names = faults.map(({ name }) => name)
    assert.deepStrictEqual(names, [...new Set(names)])
  })

  it.each(faults.map(({ name, written }) => [name, written]))(
    "The example of the fault '%s' is a valid step",
    (_, written) => {
      const step = parse(written.replace("do: …", "do: me").replace("text: …", "text: New terms."))
      const script = {
        scenario: "An example",
        given: {
          organizations: { harbor: "Harbor" },
          people: { dana: { name: "Dana", member: { harbor: [] }, provider: "login" } },
          agents: { scout: { for: "dana", role: "BUYER", actions: [] } },
          providers: { login: { issuer: "https://login.example.com" } },
          receivers: { hooks: { host: "hooks.example.com" } },
          payments: {}
        },
        steps: [{ ...step, ...(step.as === "dana" ? { as: "scout" } : {}) }]
      }
      const read = readScenario("written.yaml", JSON.stringify(script))
      assert.strictEqual(read._tag === "Failure" ? read.failure : undefined, undefined)
    }
  )
})
