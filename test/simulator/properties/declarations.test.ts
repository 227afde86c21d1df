/** Properties are skipped at observations that they do not declare: the declarations hold in searched runs with faults. */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { properties } from "../../../simulator/properties/all-properties.ts"
import { monitoredProperty, type MonitoredProperty } from "../../../simulator/properties/property.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { search, type SearchResult } from "../../../simulator/search/search.ts"
import { randomWalk } from "../../../simulator/search/strategies/random-walk.ts"
import { checkedDeclarations } from "../support/declared-properties.ts"

const scripts = [
  "lost-reply-and-worker-crash",
  "email-failures",
  "history-reader-and-commits",
  "issuance-and-revocation",
  "two-renewals",
  "new-version-and-hand-off",
  "transient-errors-of-agent-requests"
]

const searched = (name: string, judging: ReadonlyArray<MonitoredProperty>): SearchResult => {
  const root = prepareSearchRoot(Result.getOrThrow(readScript(`scenarios/races/${name}/scenario.yaml`)))
  return search(root, { properties: judging, strategies: [[randomWalk(1), 12]] })
}

describe("declarations of properties", () => {
  it("Every built-in property declares the observations and tables that it judges", () => {
    assert.deepEqual(
      properties.filter(({ judges }) => judges === undefined).map(({ name }) => name),
      []
    )
  })

  it.each(scripts)("No property changes its state at an undeclared observation in the schedules of %s", (name) => {
    const checked = checkedDeclarations()
    const { found, reached } = searched(name, checked.properties)
    assert.deepEqual(checked.wrong, [])
    assert.deepEqual([...searched(name, properties).reached], [...reached])
    assert.isUndefined(found)
  })

  it("A property that judges an undeclared observation is detected", () => {
    const counting = monitoredProperty<number>({
      name: "counts responses",
      kind: "always",
      says: "It counts responses and declares requests.",
      judges: { kinds: ["request"] },
      initial: 0,
      next: (count, { observed }) => (observed.kind === "response" ? count + 1 : count)
    })
    const checked = checkedDeclarations([counting])
    searched("two-renewals", checked.properties)
    assert.include(checked.wrong, "counts responses: response")
  })
})
