import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { issueDueRecords, issueRecord } from "../../src/records/issuance.ts"
import { sendCommand, reviewOf } from "../support/parties.ts"
import {
  makeDelivery,
  grantTestCredits,
  makeBuyer,
  readStoredCredits,
  recordService,
  readAsBuyer,
  whenDueAgain,
  type Buyer,
  type Delivery
} from "./record-service.ts"

const unbounded = { concurrency: "unbounded" } as const
const times = (count: number) => Array.from({ length: count })

/** The number of records and the issuance status of each project. */
const outcomes = (buyer: Buyer, projects: ReadonlyArray<Delivery>) =>
  Effect.forEach(projects, ({ projectId }) =>
    Effect.map(readAsBuyer(buyer, projectId), ({ project }) => ({
      records: project.events.filter(({ kind }: { kind: string }) => kind === "ISSUE").length as number,
      status: project.recordIssuance.status as string,
      confirmationId: project.confirmation.id as string
    }))
  )

layer(recordService, { excludeTestServices: true })("concurrent handlers and workers", (it) => {
  it.effect("Concurrent handlers and workers issue each record once and consume each credit once.", () =>
    Effect.gen(function* () {
      const buyer = yield* makeBuyer
      const projects = yield* Effect.forEach(times(6), () => makeDelivery(buyer))
      yield* grantTestCredits(buyer, 3)
      const worker = Effect.repeat(issueDueRecords(), { times: 8 })
      const accepting = projects.flatMap(({ projectId, view }) => {
        const body = reviewOf(view, "ACCEPT")
        return times(3).map(() => sendCommand(buyer.agent.token, projectId, "review", body))
      })
      const [answers] = yield* Effect.all(
        [
          Effect.all(accepting, unbounded),
          Effect.all(
            times(4).map(() => worker),
            unbounded
          )
        ],
        unbounded
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      const first = yield* outcomes(buyer, projects)
      assert.deepStrictEqual(first.map(({ status }) => status).toSorted(), [
        ...times(3).map(() => "ISSUED"),
        ...times(3).map(() => "PENDING")
      ])
      assert.strictEqual((yield* readStoredCredits(buyer)).balance, 0)

      yield* grantTestCredits(buyer, 4)
      const repeated = projects.flatMap(({ projectId }) => times(4).map(() => issueRecord(projectId)))
      const workers = times(4).map(() => whenDueAgain(issueDueRecords()))
      yield* Effect.all([...repeated, ...workers], unbounded)
      const last = yield* outcomes(buyer, projects)
      assert.deepStrictEqual(
        last.map(({ status, records }) => [status, records]),
        times(6).map(() => ["ISSUED", 1])
      )
      const { balance, entries } = yield* readStoredCredits(buyer)
      assert.strictEqual(balance, 1)
      const debits = entries.filter(({ change }) => change < 0)
      assert.sameMembers(
        debits.map(({ confirmationId }) => confirmationId),
        last.map(({ confirmationId }) => confirmationId)
      )
      // Every ledger entry has the right balance, which is never negative.
      entries.reduce((before, entry, index) => {
        assert.deepStrictEqual([entry.sequence, entry.balance], [index + 1, before + entry.change])
        assert.isAtLeast(entry.balance, 0)
        return entry.balance
      }, 0)
    })
  )
})
