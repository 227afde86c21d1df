/** A revocation between the authentication of a request and its commit is effective for the request. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { endMembership } from "../../src/people/memberships.ts"
import { revokeShare } from "../../src/records/sharing.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { BeforeTransactionHook, withBeforeTransactionHook } from "../support/before-transaction-hook.ts"
import { agreementWithRecord, joinOrganization, createShare, shareWith } from "../support/issued-records.ts"
import { everyRow } from "../support/rows.ts"
import { freshService, postgresStorage, testService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { outcome, post } from "../support/workspace.ts"

const service = Layer.unwrap(
  Effect.map(freshService, (connection) => {
    const storage = withBeforeTransactionHook(postgresStorage(connection))
    return Layer.merge(testService(storage), storage)
  })
)

/** Sends a request, and runs `act` between its authentication and its commit. */
const sendAndInterleave = <A, E, R, R2>(sending: Effect.Effect<Answer, never, R>, act: Effect.Effect<A, E, R2>) =>
  Effect.gen(function* () {
    const { before, hasPassed } = yield* BeforeTransactionHook
    const context = yield* Effect.context<R2>()
    yield* before(Effect.provideContext(Effect.orDie(act), context))
    const answer = yield* sending
    assert.isTrue(yield* hasPassed, "nothing was about to commit")
    return answer
  })

const makeParties = Effect.gen(function* () {
  const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
  return { ...pair, eve: yield* signInNewPerson("Eve"), projectId: yield* agreementWithRecord(pair) }
})

layer(service, { excludeTestServices: true })(
  "a revocation before the commit of a request on a shared record",
  (it) => {
    it.effect("A share revoked before the commit of an opening is not opened.", () =>
      Effect.gen(function* () {
        const { buyer, eve, projectId } = yield* makeParties
        const shareId = yield* createShare(buyer, projectId, shareWith(eve))
        const request = yield* nonIdempotentRequest(buyer.personId)
        const opening = post(eve, `/shared-records/${shareId}/open`)
        const answer = yield* sendAndInterleave(opening, revokeShare(buyer, request, { projectId, shareId }))
        assert.deepStrictEqual(outcome(answer), [404, "NOT_FOUND"])
        assert.lengthOf((yield* everyRow).record_share_openings!, 0)
      })
    )

    it.effect("A membership that ended before the commit can neither create nor revoke shares.", () =>
      Effect.gen(function* () {
        const { buyer, eve, projectId } = yield* makeParties
        const mia = yield* joinOrganization(buyer, "Mia")
        const kim = yield* joinOrganization(buyer, "Kim")
        const shareId = yield* createShare(mia, projectId, shareWith(eve))
        const path = `/projects/${projectId}/record-shares`
        const sharing = post(mia, path, shareWith(eve, { recipient: "The tax office" }))
        assert.deepStrictEqual(outcome(yield* sendAndInterleave(sharing, endMembership("OPERATOR", mia))), [
          403,
          "FORBIDDEN"
        ])
        const revoking = post(kim, `${path}/${shareId}/revoke`, { requestId: crypto.randomUUID() })
        assert.deepStrictEqual(outcome(yield* sendAndInterleave(revoking, endMembership("OPERATOR", kim))), [
          403,
          "FORBIDDEN"
        ])
      })
    )
  }
)
