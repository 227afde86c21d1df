/** The page for agent authors lists every endpoint and refusal of the control API, and quotes the agent verbatim. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "vitest"

const root = path.resolve(import.meta.dirname, "../..")
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const page = read("docs/learning/simulate-an-agent.md")
const rows = page.split("\n").filter((line) => line.startsWith("| "))

it("docs/learning/simulate-an-agent.md lists every endpoint of the control API.", () => {
  const routes = [
    ...read("simulator/serve/control-api.ts").matchAll(/method: "(GET|POST|PUT|DELETE)",\s*path: "([^"]*)"/g)
  ]
  assert.isAtLeast(routes.length, 14)
  for (const [, method, rest] of routes) {
    const address = `\`${method} /sim/worlds/{id}${rest}\``
    assert.isTrue(
      rows.some((row) => row.startsWith(`| ${address}`)),
      `the table needs a row for ${address}`
    )
  }
})

it("docs/learning/simulate-an-agent.md lists exactly the refusals of the control API, with their statuses.", () => {
  const rules = [...read("simulator/serve/control-refusals.ts").matchAll(/^ {2}([A-Z_]+): \{ status: (\d+),/gm)]
  assert.isAtLeast(rules.length, 14)
  const documented = rows.flatMap((row) =>
    [...row.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/g)].map(([, code, status]) => `${code} ${status}`)
  )
  assert.sameMembers(
    documented,
    rules.map(([, code, status]) => `${code} ${status}`)
  )
})

it("docs/learning/simulate-an-agent.md quotes the agent verbatim.", () => {
  const agent = read("test/simulator/agent.py")
  const quotes = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, quote]) => quote!)
  assert.isAtLeast(quotes.length, 5)
  for (const quote of quotes) assert.include(agent, quote)
})
