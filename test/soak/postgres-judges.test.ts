/** What the soak on real processes is judged by sees what is wrong: each damage to a history that is whole is told. */
import { assert, describe, it } from "vitest"
import { AuthorityEvents, Credentials, Grants } from "../../src/access/store.ts"
import type { StoredRow } from "../../src/ports/stored-values.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { ProjectEvents } from "../../src/projects/store.ts"
import { CreditEntries, OrganizationCredits, ResultRecords } from "../../src/records/store.ts"
import { WebhookAttempts, WebhookDeliveries, WebhookEvents } from "../../src/webhooks/store.ts"
import { type Change, type Committed, judge, judges } from "./postgres-history.ts"
import { judgeLog } from "./postgres-log.ts"
import { recordedHistory } from "./recorded-history.ts"

const { history, asked, endings, keys } = recordedHistory("test/soak/scripts/an-eventful-day.yaml")

/** Something else, or nothing, in the place of one change. */
type Damage = (change: Change) => ReadonlyArray<Change>

const lost: Damage = () => []
const twice =
  (other: StoredRow): Damage =>
  (change) => [change, { ...change, row: { ...change.row, ...other } }]
const having =
  (other: StoredRow): Damage =>
  (change) => [{ ...change, row: { ...change.row, ...other } }]

/** The history with one such change damaged: the last, or one so many before it. */
const damaged = (table: AnyTable, kind: Change["change"], damage: Damage, before = 0): ReadonlyArray<Committed> => {
  const meant = history.flatMap(({ changes }) => changes.filter((one) => one.table === table && one.change === kind))
  const victim = meant.at(-1 - before)
  if (victim === undefined) throw new RangeError(`nothing of the kind ${kind} happens to ${table.name}`)
  return history.map((commit) => ({
    ...commit,
    changes: commit.changes.flatMap((one) => (one === victim ? damage(one) : [one]))
  }))
}

const damages: ReadonlyArray<readonly [what: string, history: ReadonlyArray<Committed>, seenBy: string]> = [
  ["a link of a chain is missing", damaged(ProjectEvents, "insert", lost, 1), "every chain verifies"],
  ["an event is stored twice", damaged(AuthorityEvents, "insert", twice({ sequence: 9 })), "every chain verifies"],
  [
    "an event has another signature",
    damaged(ProjectEvents, "insert", having({ jws: "e30.e30.AA" }), 1),
    "every chain verifies"
  ],
  [
    "an event is dated before the last one",
    damaged(ProjectEvents, "insert", having({ occurredAt: "2026-11-01T09:00:00.000Z" })),
    "time never falls"
  ],
  [
    "a grant has two tokens of one generation",
    damaged(Credentials, "insert", twice({ credentialId: "credential_of_somebody" })),
    "one live token a grant"
  ],
  ["a renewal takes actions away", damaged(Grants, "update", having({ actions: [] }), 1), "renewal keeps the rest"],
  ["a record costs nothing", damaged(CreditEntries, "insert", lost), "credits are conserved"],
  ["a record is lost", damaged(ResultRecords, "insert", lost), "credits are conserved"],
  [
    "a credit comes from nowhere",
    damaged(OrganizationCredits, "update", having({ balance: 7 })),
    "credits are conserved"
  ],
  ["an event is not queued", damaged(WebhookEvents, "insert", lost), "every event is queued exactly"],
  ["a delivery is lost", damaged(WebhookDeliveries, "insert", lost), "every event is queued exactly"],
  [
    "a delivery waits for nothing",
    damaged(WebhookDeliveries, "insert", having({ dueAt: "9999-12-31T23:59:59.999Z" })),
    "every delivery is somewhere"
  ],
  ["an attempt is not written down", damaged(WebhookAttempts, "insert", lost), "attempts are counted"],
  [
    "an attempt was made by one who held nothing",
    damaged(WebhookAttempts, "insert", having({ leaseToken: "of somebody else" })),
    "attempts are counted"
  ]
]

describe("a history of commits", () => {
  it("is whole as it was recorded", () => {
    assert.deepEqual(judge(history, keys), [])
  })

  it.each(damages)("is not whole where %s", (_, damagedHistory, seenBy) => {
    const [wrong, ...others] = judge(damagedHistory, keys)
    assert.match(String(wrong), new RegExp(`^${seenBy}: `))
    assert.deepEqual(others, [])
  })

  it("is judged by nothing that was never seen to fail", () => {
    const seen = new Set(damages.map(([, , seenBy]) => seenBy))
    assert.deepEqual(
      judges.map(({ name }) => name).filter((name) => !seen.has(name)),
      []
    )
  })
})

const told = (changed: {
  readonly history?: ReadonlyArray<Committed>
  readonly asked?: typeof asked
  readonly endings?: typeof endings
}) => judgeLog(changed.asked ?? asked, changed.endings ?? endings, changed.history ?? history).wrong

/** The last commit that appends to a project's history what somebody asked for, at another moment. */
const moved = (operation: string, moment: (answered: number) => number): ReadonlyArray<Committed> => {
  const request = requestOf(operation)
  const at = history.findIndex(({ changes }) => changes.some(({ row }) => isEventOf(row, request.requestId)))
  return history.with(at, { ...history[at]!, at: moment(request.answered) })
}

const requestOf = (operation: string) => {
  const found = asked.findLast(({ path }) => path.endsWith(`/${operation}`))
  if (found === undefined) throw new RangeError(`nobody asked to ${operation}`)
  return found
}

const isEventOf = ({ jws }: StoredRow, requestId: string | undefined): boolean =>
  typeof jws === "string" && Buffer.from(jws.split(".")[1] ?? "", "base64url").includes(String(requestId))

const [pause, revocation] = [
  endings.find(({ kind }) => kind === "pause")!,
  endings.find(({ kind }) => kind === "revocation")!
]

const answeredInstead = (operation: string, other: Partial<(typeof asked)[number]>): typeof asked =>
  asked.map((one) => (one === requestOf(operation) ? { ...one, ...other } : one))

describe("what clients were told", () => {
  it("fits what was committed", () => {
    assert.deepEqual(told({}), [])
  })

  it("is over once a revocation was answered", () => {
    const wrong = told({
      history: moved("submit", () => revocation.answered + 2),
      asked: answeredInstead("submit", { answered: revocation.answered + 3 })
    })
    assert.deepEqual(wrong, [`SUBMIT was committed 2.000 ms after the revocation of ${revocation.of}`])
  })

  it("is over while a pause lasts, and not before or after it", () => {
    const within = (moment: number) =>
      told({ history: moved("submit", () => moment), asked: answeredInstead("submit", { answered: moment }) })
    assert.deepEqual(within(pause.answered + 1), [`SUBMIT was committed 1.000 ms after the pause of ${pause.of}`])
    assert.deepEqual(within(pause.answered), [])
    assert.deepEqual(within(pause.until! + 1), [])
  })

  it("has one effect for one request", () => {
    const { requestId } = requestOf("submit")
    const effects = history.filter(({ changes }) => changes.some(({ row }) => isEventOf(row, requestId)))
    assert.deepEqual(told({ history: [...history, ...effects] }), [`${pause.of} ${requestId} had two effects`])
  })

  it("was committed where it was answered with success", () => {
    const { requestId } = requestOf("submit")
    const without = history.filter(({ changes }) => !changes.some(({ row }) => isEventOf(row, requestId)))
    assert.deepEqual(told({ history: without }), [`submit ${requestId} was answered 200 and is nowhere`])
  })

  it("was committed before it was answered", () => {
    const { requestId } = requestOf("submit")
    const later = moved("submit", (answered) => answered + 1)
    assert.deepEqual(told({ history: later }), [`submit ${requestId} was answered before its commit`])
  })

  it("had no effect where it was refused", () => {
    const { requestId, answered } = requestOf("submit")
    const refused = { status: 409, error: "STALE_EVENT_HEAD", answered: answered + 1 }
    assert.deepEqual(told({ asked: answeredInstead("submit", refused) }), [
      `submit ${requestId} was answered 409 STALE_EVENT_HEAD and had its effect`
    ])
  })
})
