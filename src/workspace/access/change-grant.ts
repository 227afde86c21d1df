/** The forms that renew and revoke an existing agent. */
import { Effect, Layer, Result, Schema } from "effect"
import { readOwnGrant, renewGrant, revokeGrant } from "../../access/grants.ts"
import { addMilliseconds, now as currentTime } from "../../vocabulary/instant.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { requiredCheckbox, wholeNumber } from "../kit/form-values.ts"
import { maxDays } from "./grant-values.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { showAgent } from "./agent-detail.ts"
import { agentPath } from "./grant.ts"
import { showToken } from "./token.ts"

const Renewal = Schema.Struct({
  expectedGeneration: wholeNumber("The generation", 1, 999_999_999),
  days: wholeNumber("The days", 1, maxDays)
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
      const end = days === maxDays ? {} : { expiresAt: addMilliseconds(yield* currentTime, days * 86_400_000) }
      const credential = yield* renewGrant(visitor.person, request, { grantId, expectedGeneration, ...end })
      return yield* showToken(visitor, model.grant.agentName, credential)
    })
)

const Revocation = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to revoke the agent.") })

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
