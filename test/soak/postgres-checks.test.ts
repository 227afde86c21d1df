/** Vacuity check of the soak test's checks: each damage to a valid history is detected. */
import { assert, describe, it } from "vitest"
import { AuthorityEvents, Credentials, Grants } from "../../src/access/store.ts"
import type { StoredRow } from "../../src/ports/storage/stored-values.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../src/records/store.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import { type Change, type CommittedTransaction, checkHistory, historyProperties } from "./postgres-history.ts"
import { checkLog } from "./postgres-log.ts"
import { recordedHistory } from "./recorded-history.ts"

const { history, requests, stops, keys } = recordedHistory("test/soak/scripts/an-eventful-day.yaml")

/** Replaces one change by others, or by none. */
type Damage = (change: Change) => ReadonlyArray<Change>

const remove: Damage = () => []
const twice =
  (other: StoredRow): Damage =>
  (change) => [change, { ...change, row: { ...change.row, ...other } }]
const replaceMembers =
  (other: StoredRow): Damage =>
  (change) => [{ ...change, row: { ...change.row, ...other } }]

/** The history with one such change damaged: the last, or one that many before it. */
const withDamage = (
  table: AnyTable,
  kind: Change["change"],
  damage: Damage,
  before = 0
): ReadonlyArray<CommittedTransaction> => {
  const meant = history.flatMap(({ changes }) => changes.filter((one) => one.table === table && one.change === kind))
  const victim = meant.at(-1 - before)
  if (victim === undefined) throw new RangeError(`the history has no ${kind} in ${table.name}`)
  return history.map((commit) => ({
    ...commit,
    changes: commit.changes.flatMap((one) => (one === victim ? damage(one) : [one]))
  }))
}

const damages: ReadonlyArray<readonly [what: string, history: ReadonlyArray<CommittedTransaction>, seenBy: string]> = [
  ["a link of a chain is missing", withDamage(ProjectEvents, "insert", remove, 1), "every chain verifies"],
  ["an event is stored twice", withDamage(AuthorityEvents, "insert", twice({ sequence: 9 })), "every chain verifies"],
  [
    "an event has a wrong signature",
    withDamage(ProjectEvents, "insert", replaceMembers({ jws: "e30.e30.AA" }), 1),
    "every chain verifies"
  ],
  [
    "an event is dated before the last one",
    withDamage(ProjectEvents, "insert", replaceMembers({ occurredAt: "2026-11-01T09:00:00.000Z" })),
    "event timestamps are monotonic"
  ],
  [
    "a grant has two tokens of one generation",
    withDamage(Credentials, "insert", twice({ credentialId: "credential_of_another" })),
    "one live credential per grant"
  ],
  [
    "a renewal takes actions away",
    withDamage(Grants, "update", replaceMembers({ actions: [] }), 1),
    "renewal preserves the grant"
  ],
  ["a record is issued without a debit", withDamage(CreditEntries, "insert", remove), "credits are conserved"],
  ["a record is lost", withDamage(ResultRecords, "insert", remove), "credits are conserved"],
  [
    "a balance has no entry",
    withDamage(OrganizationCredits, "update", replaceMembers({ balance: 7 })),
    "credits are conserved"
  ],
  [
    "an event is not queued",
    withDamage(WebhookEvents, "insert", remove),
    "event is queued once per active subscription"
  ],
  [
    "a delivery is lost",
    withDamage(WebhookDeliveries, "insert", remove),
    "event is queued once per active subscription"
  ],
  [
    "a pending delivery is never due",
    withDamage(WebhookDeliveries, "insert", replaceMembers({ dueAt: "9999-12-31T23:59:59.999Z" })),
    "no delivery is lost"
  ],
  [
    "a project moves to another buyer",
    withDamage(Projects, "update", replaceMembers({ buyerOrganizationId: "organization_of_another" }), 1),
    "one home per transaction"
  ],
  ["an attempt is not recorded", withDamage(WebhookAttempts, "insert", remove), "attempts are counted under a lease"],
  [
    "an attempt was made without a lease",
    withDamage(WebhookAttempts, "insert", replaceMembers({ leaseToken: "of another worker" })),
    "attempts are counted under a lease"
  ]
]

describe("a history of commits", () => {
  it("A recorded history without damage has no violation.", () => {
    assert.deepEqual(checkHistory(history, keys), [])
  })

  it.each(damages)("A history is invalid if %s.", (_, damagedHistory, seenBy) => {
    const [wrong, ...others] = checkHistory(damagedHistory, keys)
    assert.match(String(wrong), new RegExp(`^${seenBy}: `))
    assert.deepEqual(others, [])
  })

  it("Every property that checks a history has a damage here that violates it.", () => {
    const seen = new Set(damages.map(([, , seenBy]) => seenBy))
    assert.deepEqual(
      historyProperties.map(({ name }) => name).filter((name) => !seen.has(name)),
      []
    )
  })
})

const violationsOf = (changed: {
  readonly history?: ReadonlyArray<CommittedTransaction>
  readonly asked?: typeof requests
  readonly endings?: typeof stops
}) => checkLog(changed.asked ?? requests, changed.endings ?? stops, changed.history ?? history).wrong

/** The history with the commit of the operation's last request moved to another time. */
const withCommitAt = (operation: string, moment: (answered: number) => number): ReadonlyArray<CommittedTransaction> => {
  const request = requestOf(operation)
  const at = history.findIndex(({ changes }) => changes.some(({ row }) => isEventOf(row, request.requestId)))
  return history.with(at, { ...history[at]!, at: moment(request.answered) })
}

const requestOf = (operation: string) => {
  const found = requests.findLast(({ path }) => path.endsWith(`/${operation}`))
  if (found === undefined) throw new RangeError(`the log has no request of ${operation}`)
  return found
}

const isEventOf = ({ jws }: StoredRow, requestId: string | undefined): boolean =>
  typeof jws === "string" && Buffer.from(jws.split(".")[1] ?? "", "base64url").includes(String(requestId))

const [pause, revocation] = [
  stops.find(({ kind }) => kind === "pause")!,
  stops.find(({ kind }) => kind === "revocation")!
]

const withResponse = (operation: string, other: Partial<(typeof requests)[number]>): typeof requests =>
  requests.map((one) => (one === requestOf(operation) ? { ...one, ...other } : one))

describe("the clients' log", () => {
  it("The log of a run without damage is consistent with its commits.", () => {
    assert.deepEqual(violationsOf({}), [])
  })

  it("A commit after an acknowledged revocation is detected.", () => {
    const wrong = violationsOf({
      history: withCommitAt("submit", () => revocation.answered + 2),
      asked: withResponse("submit", { answered: revocation.answered + 3 })
    })
    assert.deepEqual(wrong, [`SUBMIT was committed 2.000 ms after the revocation of ${revocation.of}`])
  })

  it("A commit during a pause is detected, but none before or after it.", () => {
    const withCommitAndResponseAt = (moment: number) =>
      violationsOf({
        history: withCommitAt("submit", () => moment),
        asked: withResponse("submit", { answered: moment })
      })
    assert.deepEqual(withCommitAndResponseAt(pause.answered + 1), [
      `SUBMIT was committed 1.000 ms after the pause of ${pause.of}`
    ])
    assert.deepEqual(withCommitAndResponseAt(pause.answered), [])
    assert.deepEqual(withCommitAndResponseAt(pause.until! + 1), [])
  })

  it("Two effects of one request are detected.", () => {
    const { requestId } = requestOf("submit")
    const effects = history.filter(({ changes }) => changes.some(({ row }) => isEventOf(row, requestId)))
    assert.deepEqual(violationsOf({ history: [...history, ...effects] }), [`${pause.of} ${requestId} had two effects`])
  })

  it("A request answered with success and never committed is detected.", () => {
    const { requestId } = requestOf("submit")
    const without = history.filter(({ changes }) => !changes.some(({ row }) => isEventOf(row, requestId)))
    assert.deepEqual(violationsOf({ history: without }), [`submit ${requestId} was answered 200 and never committed`])
  })

  it("A commit after its response is detected.", () => {
    const { requestId } = requestOf("submit")
    const later = withCommitAt("submit", (answered) => answered + 1)
    assert.deepEqual(violationsOf({ history: later }), [`submit ${requestId} was answered before its commit`])
  })

  it("An effect of a refused request is detected.", () => {
    const { requestId, answered } = requestOf("submit")
    const refused = { status: 409, error: "STALE_EVENT_HEAD", answered: answered + 1 }
    assert.deepEqual(violationsOf({ asked: withResponse("submit", refused) }), [
      `submit ${requestId} was answered 409 STALE_EVENT_HEAD and was committed`
    ])
  })
})
