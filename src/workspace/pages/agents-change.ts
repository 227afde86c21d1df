/** The forms that renew and revoke an existing agent. */
import { Effect, Layer, Result, Schema } from "effect"
import { readOwnGrant, renewGrant, revokeGrant } from "../../access/grants.ts"
import { addMilliseconds, now as currentTime } from "../../vocabulary/instant.ts"
import { pathId } from "../address.ts"
import { decodeForm } from "../form.ts"
import { mustBeTicked, wholeNumber } from "../form-values.ts"
import { daysMost } from "../grant-values.ts"
import { requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm } from "../signed-in.ts"
import { showAgent } from "./agents-detail.ts"
import { agentPath } from "./agents-grant.ts"
import { showToken } from "./agents-token.ts"

const Renewal = Schema.Struct({
  expectedGeneration: wholeNumber("The generation", 1, 999_999_999),
  days: wholeNumber("The days", 1, daysMost)
})

const renew = signedInForm(
  { path: "/workspace/agents/:grantId/renew", shownAt: "/workspace/agents/:grantId" },
  (visitor, sent) =>
    Effect.gen(function* () {
      const grantId = yield* pathId("grantId", "grant")
      const { requestId, form } = yield* takeRequestId(sent)
      const model = yield* readOwnGrant(visitor.person, grantId)
      const decoded = yield* decodeForm(Renewal, form)
      if (Result.isFailure(decoded)) {
        return pageResponse(yield* showAgent(visitor, model, { renewal: { state: decoded.failure, requestId } }), 400)
      }
      const values = decoded.success
      const { expectedGeneration, days } = values
      const request = requestOf(visitor, requestId, "renewGrant", { pathIds: [grantId], values: { ...values } })
      // The operation computes the maximum: the clock of this page is behind the operation's.
      const end = days === daysMost ? {} : { expiresAt: addMilliseconds(yield* currentTime, days * 86_400_000) }
      const credential = yield* renewGrant(visitor.person, request, { grantId, expectedGeneration, ...end })
      return yield* showToken(visitor, model.grant.agentName, credential)
    })
)

const Revocation = Schema.Struct({ confirmed: mustBeTicked("Tick the box to revoke the agent.") })

const revoke = signedInForm(
  { path: "/workspace/agents/:grantId/revoke", shownAt: "/workspace/agents/:grantId" },
  (visitor, sent) =>
    Effect.gen(function* () {
      const grantId = yield* pathId("grantId", "grant")
      const decoded = yield* decodeForm(Revocation, sent)
      if (Result.isFailure(decoded)) {
        const model = yield* readOwnGrant(visitor.person, grantId)
        return pageResponse(yield* showAgent(visitor, model, { revocation: decoded.failure }), 400)
      }
      yield* revokeGrant(visitor.person, { grantId })
      return seeOther(agentPath(grantId))
    })
)

export const agentChanges = Layer.mergeAll(renew, revoke)
