/** The alerts of Prometheus and the dashboard of Grafana name metrics of the program, and each alert has a runbook. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"

const root = path.resolve(import.meta.dirname, "../..")
const read = (file: string): string => fs.readFileSync(path.join(root, "docs/operating", file), "utf8")

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

const alerts: ReadonlyArray<Alert> = parse(read("countersign.rules.yml")).groups.flatMap(({ rules }: any) => rules)
const runbooks = [...read("alerts.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name!)

const metricsOfProgram = new Set(
  fs
    .globSync("src/**/*metrics.ts", { cwd: root })
    .flatMap((file) => [...fs.readFileSync(path.join(root, file), "utf8").matchAll(/"(countersign_\w+)"/g)])
    .map(([, name]) => name!)
)

/** A histogram has several series. */
const baseOf = (name: string): string => name.replace(/_(bucket|count|sum)$/, "")

describe("alerts", () => {
  it("Each alert has a runbook, and each runbook an alert.", () => {
    assert.deepStrictEqual(
      alerts.map(({ alert }) => alert),
      runbooks
    )
    for (const { alert, labels, annotations } of alerts) {
      assert.strictEqual(annotations.runbook_url, `alerts.md#${alert.toLowerCase()}`)
      assert.include(["page", "ticket"], labels.severity)
    }
  })

  it("Each alert is about metrics that the program has.", () => {
    for (const { alert, expr } of alerts) {
      for (const [name] of expr.matchAll(/countersign_\w+/g)) {
        assert.isTrue(metricsOfProgram.has(baseOf(name)), `${alert}: ${name}`)
      }
    }
  })

  it("The dashboard shows each metric of the program, and no other.", () => {
    const { panels } = JSON.parse(read("grafana-dashboard.json"))
    const shown = panels.flatMap(({ targets }: any) =>
      targets.flatMap(({ expr }: any) => [...expr.matchAll(/countersign_\w+/g)].map(([name]) => baseOf(name)))
    )
    assert.sameMembers([...new Set(shown)], [...metricsOfProgram])
  })

  it("Each metric that counts failures has an alert.", () => {
    const watched = alerts.map(({ expr }) => expr).join(" ")
    const failures = [...metricsOfProgram].filter((name) =>
      /failures|failed|exhausted|dropped|late_results|given_up|lost/.test(name)
    )
    assert.isAbove(failures.length, 4)
    for (const name of failures) assert.include(watched, name)
  })

  it("Prometheus loads the alerts.", () => {
    assert.deepStrictEqual(parse(read("prometheus.yml")).rule_files, ["countersign.rules.yml"])
  })
})
