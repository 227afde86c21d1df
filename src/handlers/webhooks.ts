/** What the endpoints of agents and of people do on one subscription of the caller. */
import { Effect } from "effect"
import { pauseSubscription, resumeSubscription, revokeSubscription, rotateSecret } from "../webhooks/change.ts"
import { readHistory } from "../webhooks/history.ts"
import { redeliver } from "../webhooks/redeliver.ts"
import type { WebhookCaller } from "../webhooks/subscriber.ts"
import type { SignedWebhook } from "../webhooks/signature.ts"
import { verifyWebhook, type listCurrentJobs } from "../webhooks/verify.ts"
import { viewDelivery, viewHistory, viewResult, viewVerified } from "../webhooks/view.ts"

interface OnSubscription {
  readonly params: { readonly subscriptionId: string }
}

interface OnDelivery {
  readonly params: { readonly subscriptionId: string; readonly deliveryId: string }
}

export const webhookOperations = {
  pause: (by: WebhookCaller, { params }: OnSubscription) =>
    Effect.map(pauseSubscription(by, params.subscriptionId), viewResult),
  resume: (by: WebhookCaller, { params }: OnSubscription) =>
    Effect.map(resumeSubscription(by, params.subscriptionId), viewResult),
  revoke: (by: WebhookCaller, { params }: OnSubscription) =>
    Effect.map(revokeSubscription(by, params.subscriptionId), viewResult),
  rotateSecret: (by: WebhookCaller, { params }: OnSubscription) =>
    Effect.map(rotateSecret(by, params.subscriptionId), viewResult),
  listDeliveries: (by: WebhookCaller, { params, query }: OnSubscription & { readonly query: HistoryQuery }) =>
    Effect.map(readHistory(by, params.subscriptionId, query.after), viewHistory),
  redeliver: (by: WebhookCaller, { params }: OnDelivery) =>
    Effect.map(redeliver(by, params.subscriptionId, params.deliveryId), ({ row, event, ...behind }) =>
      viewDelivery({ row, event }, behind)
    ),
  /** `jobsOf` lists the saved jobs of a project that the caller may see. */
  verify:
    <E, R>(jobsOf: (projectId: string) => Effect.Effect<Jobs, E, R>) =>
    (by: WebhookCaller, { params, payload }: OnSubscription & { readonly payload: SignedWebhook }) =>
      Effect.gen(function* () {
        const verified = yield* verifyWebhook(by, params.subscriptionId, payload)
        return viewVerified({ ...verified, jobs: yield* jobsOf(verified.projectId) })
      })
}

type Jobs = Effect.Success<ReturnType<typeof listCurrentJobs>>

interface HistoryQuery {
  readonly after?: string
}
