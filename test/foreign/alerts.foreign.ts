/** promtool checks the alerts, and evaluates them over an hour of a service in good order, and of one that breaks each promise. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { parse, stringify } from "yaml"

const rules = path.resolve(import.meta.dirname, "../../docs/operating/countersign.rules.yml")
const names: ReadonlyArray<string> = parse(fs.readFileSync(rules, "utf8")).groups.flatMap(({ rules }: any) =>
  rules.map(({ alert }: any) => alert)
)

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-alerts-"))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const promtool = (...parameters: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync("promtool", parameters, { encoding: "utf8" })
  return { status, output: stdout + stderr }
}

const labels = 'instance="127.0.0.1:9464",job="countersign",role="serve"'
const day = 86_400

type Series = readonly [name: string, good: string, bad: string]

/** A metric with its labels: its values minute by minute in good order, and where it breaks a promise. */
const everySeries: ReadonlyArray<Series> = [
  [`up{${labels}}`, "1x60", "0x60"],
  [`countersign_http_requests_total{${labels},method="GET",status="200"}`, "0+6000x60", "0+6000x60"],
  [`countersign_http_requests_total{${labels},method="GET",status="503"}`, "0+1x60", "0+60x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},le="1000"}`, "0+6000x60", "0+5900x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},le="2500"}`, "0+6000x60", "0+6000x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},le="+Inf"}`, "0+6000x60", "0+6000x60"],
  [`countersign_replica_reads_total{${labels},source="replica",reason="CURRENT"}`, "0+100x60", "0+10x60"],
  [`countersign_replica_reads_total{${labels},source="primary",reason="BEHIND"}`, "0+1x60", "0+100x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},class="stop",le="250"}`, "0+60x60", "0+50x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},class="stop",le="1000"}`, "0+60x60", "0+60x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},class="stop",le="2500"}`, "0+60x60", "0+60x60"],
  [`countersign_http_request_milliseconds_bucket{${labels},class="stop",le="+Inf"}`, "0+60x60", "0+60x60"],
  [`countersign_requests_shed_total{${labels},class="list"}`, "2x60", "0+5x60"],
  [`countersign_request_bodies_dropped_total{${labels},reason="LATE"}`, "0x60", "0+5x60"],
  [`countersign_pool_timeouts_total{${labels}}`, "3x60", "0+1x60"],
  [`countersign_pool_wait_milliseconds_bucket{${labels},le="500"}`, "0+6000x60", "0+5900x60"],
  [`countersign_pool_wait_milliseconds_bucket{${labels},le="1000"}`, "0+6000x60", "0+6000x60"],
  [`countersign_pool_wait_milliseconds_bucket{${labels},le="+Inf"}`, "0+6000x60", "0+6000x60"],
  [`countersign_transaction_retries_total{${labels},cause="DEADLOCK"}`, "0+6x60", "0+120x60"],
  [`countersign_transactions_failed_total{${labels},cause="LOCK_TIMEOUT"}`, "4x60", "0+1x60"],
  [`countersign_indeterminate_commits_total{${labels},outcome="COMMITTED"}`, "0+1x60", "0+1x60"],
  [`countersign_indeterminate_commits_total{${labels},outcome="UNKNOWN"}`, "1x60", "0+1x60"],
  [`countersign_queue_age_milliseconds{${labels},queue="issuances"}`, "15000x60", "400000x60"],
  [`countersign_queue_age_milliseconds{${labels},queue="commerce_orders"}`, "400000x60", "400000x60"],
  [`countersign_standby_lag_seconds{${labels},standby="b"}`, "1x60", "0x60"],
  [`countersign_standby_lag_bytes{${labels},standby="b"}`, "1000000x60", "300000000x60"],
  [`countersign_standby_required{${labels}}`, "1x60", "1x60"],
  [`countersign_synchronous_standbys{${labels}}`, "1x60", "0x60"],
  [`countersign_webhook_lag_milliseconds_bucket{${labels},le="5000"}`, "0+600x60", "0+580x60"],
  [`countersign_webhook_lag_milliseconds_count{${labels}}`, "0+601x60", "0+600x60"],
  [`countersign_webhook_backlog_age_milliseconds{${labels}}`, "900x60", "90000x60"],
  [`countersign_webhook_internal_failures_total{${labels},unreachable="STORE"}`, "3x60", "0+1x60"],
  [`countersign_webhooks_exhausted_total{${labels}}`, "5x60", "0+1x60"],
  [`countersign_webhook_late_results_total{${labels}}`, "2x60", "0+1x60"],
  [`countersign_key_expiry_seconds{${labels},purpose="EVENT"}`, `${200 * day}x60`, `${3 * day}x60`],
  [`countersign_key_reloads_total{${labels},outcome="REFUSED"}`, "0x60", "0+1x60"],
  [`countersign_key_reloads_total{${labels},outcome="RELOADED"}`, "0+1x60", "0x60"],
  [`countersign_payment_readbacks_total{${labels},outcome="READ"}`, "0+9x60", "0+2x60"],
  [`countersign_payment_readbacks_total{${labels},outcome="FAILED"}`, "0+1x60", "0+8x60"],
  [`countersign_payment_due_age_milliseconds{${labels}}`, "0x60", "900000x60"],
  [`countersign_payment_components_failed_total{${labels},component="REFUND",reason="TIMEOUT"}`, "0x60", "0+2x60"],
  [`countersign_payment_notifications_total{${labels},outcome="INVALID"}`, "1x60", "0+2x60"],
  [`countersign_payment_deferred_total{${labels}}`, "0x60", "0+1x60"],
  [`countersign_partitions_ahead{${labels},table="webhook_attempts"}`, "3x60", "0x60"],
  [`countersign_rows_without_partition{${labels},table="webhook_attempts"}`, "0x60", "7x60"]
]

/** Fails unless exactly these alerts fire after an hour. */
const evaluate = (values: (series: Series) => string, firing: ReadonlyArray<string>, given = everySeries) => {
  const file = path.join(folder, "test.yml")
  const expected = firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 }))
  const test = {
    interval: "1m",
    input_series: given.map((series) => ({ series: series[0], values: values(series) })),
    promql_expr_test: [
      {
        expr: 'max by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "55m",
        ...(expected.length === 0 ? {} : { exp_samples: expected })
      }
    ]
  }
  fs.writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: "1m", tests: [test] }))
  return promtool("test", "rules", file)
}

describe("the alerts, evaluated by promtool", () => {
  it("promtool accepts the rules.", () => {
    const { status, output } = promtool("check", "rules", rules)
    assert.strictEqual(status, 0, output)
    assert.include(output, `${names.length} rules found`)
  })

  it("No alert fires for a service in good order.", () => {
    const { status, output } = evaluate(([, good]) => good, [])
    assert.strictEqual(status, 0, output)
  })

  it("Every alert fires for a service that breaks each promise.", () => {
    const present = names.filter((name) => name !== "NoWorker")
    const { status, output } = evaluate(([, , bad]) => bad, present)
    assert.strictEqual(status, 0, output)
    assert.notStrictEqual(evaluate(([, good]) => good, present).status, 0, "the evaluation can fail")
  })

  it("Without a standby no alert fires where none is required.", () => {
    const { status, output } = evaluate(([name, good, bad]) => {
      if (name.startsWith("countersign_standby_required")) return "0x60"
      return name.startsWith("countersign_synchronous_standbys") ? bad : good
    }, [])
    assert.strictEqual(status, 0, output)
  })

  it("An alert fires where no process claims webhooks.", () => {
    const others = everySeries.filter(([name]) => !name.startsWith("countersign_webhook_backlog_age"))
    const { status, output } = evaluate(([, good]) => good, ["NoWorker"], others)
    assert.strictEqual(status, 0, output)
  })
})
