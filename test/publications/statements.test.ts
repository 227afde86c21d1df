/** What the operations on publications ask of Postgres. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listPublicationsToApprove } from "../../src/publications/operations.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { Counted, countingService } from "../support/counting-service.ts"
import {
  approve,
  exportPassport,
  listDisclosed,
  propose,
  publicationsOf,
  publish,
  publishedResult,
  readStatus,
  selectionOf,
  withdraw
} from "../support/publications.ts"
import { createdBody } from "../support/workspace.ts"

/** The statements, with BEGIN and COMMIT, and round trips of each transaction and view. */
const observedIn = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const { observed } = yield* Counted
  observed.length = 0
  const answer = yield* request
  return { answer, observed: observed.map(({ statements, roundTrips }) => [statements, roundTrips]) }
})

layer(countingService, { excludeTestServices: true })("the statements of the operations on publications", (it) => {
  it.effect(
    "A proposal takes 12 statements in its transaction, an approval and a withdrawal 11 each, and a list 9 in one snapshot.",
    () =>
      Effect.gen(function* () {
        // The second project of both, whose first command records the side of each person.
        const { buyer, supplier } = yield* publishedResult
        const projectId = yield* agreementWithRecord({ buyer, supplier })
        const proposal = yield* observedIn(propose(supplier, projectId))
        const proposed = createdBody(proposal.answer)
        const waiting = yield* observedIn(listPublicationsToApprove(buyer))
        const approval = yield* observedIn(approve(buyer, proposed))
        const list = yield* observedIn(publicationsOf(buyer, projectId))
        const withdrawal = yield* observedIn(withdraw(buyer, proposed))
        // The session, the membership, the transaction, the names of the persons.
        const ofCommand = (transaction: readonly [number, number]) => [[4, 2], [6, 3], transaction, [3, 1]]
        assert.deepStrictEqual(proposal.observed, ofCommand([12, 6]))
        assert.deepStrictEqual(approval.observed, ofCommand([11, 5]))
        assert.deepStrictEqual(withdrawal.observed, ofCommand([11, 5]))
        assert.deepStrictEqual(list.observed, [
          [4, 2],
          [9, 4],
          [3, 1]
        ])
        assert.deepStrictEqual(waiting.observed, [[6, 4]])
      })
  )

  it.effect("A public operation takes one snapshot, whose round trips do not grow with the selection.", () =>
    Effect.gen(function* () {
      const { subjectId, publication, ...pair } = yield* publishedResult
      const one = [selectionOf(publication)]
      const three = [...one]
      for (let count = 0; count < 2; count++) {
        const projectId = yield* agreementWithRecord(pair)
        three.push(selectionOf(yield* publish({ ...pair, projectId })))
      }
      for (const selections of [one, three]) {
        const passport = yield* observedIn(exportPassport(subjectId, { selections }))
        const status = yield* observedIn(readStatus(subjectId, { selections }))
        assert.strictEqual(passport.answer.status, 200)
        assert.deepStrictEqual([passport.observed, status.observed], [[[4, 2]], [[4, 2]]])
      }
      assert.deepStrictEqual((yield* observedIn(listDisclosed(subjectId))).observed, [[6, 3]])
    })
  )
})
