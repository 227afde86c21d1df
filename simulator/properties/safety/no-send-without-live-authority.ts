/** Authority is checked at every attempt and again after DNS resolution (spec 6.2). */
import { GrantProjects, Grants } from "../../../src/access/store.ts"
import { digestOf } from "../../../src/canonical/digest.ts"
import { Memberships } from "../../../src/people/store.ts"
import { Projects } from "../../../src/projects/store.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import {
  type SubscriptionRow,
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions
} from "../../../src/webhooks/store.ts"
import { asJson, valueAt } from "../../vocabulary/json.ts"
import { violation, monitoredProperty, rowIn, type Rows, rowsWithPrefix } from "../property.ts"

export const noSendWithoutLiveAuthority = monitoredProperty<null>({
  name: "no send without live authority",
  kind: "always",
  says: "When a webhook request is sent, its attempt is recorded, its subscription is active, and the owner has access to the project.",
  judges: { kinds: ["callback"] },
  initial: null,
  next: (_, { observed, rows }) => {
    if (observed.kind !== "callback") return null
    const deliveryId = String(valueAt(observed.headers, "service-delivery-id"))
    const delivery = rowIn(rows, WebhookDeliveries, [deliveryId])
    const subscription = rowIn(rows, WebhookSubscriptions, [delivery?.subscriptionId ?? ""])
    const attempt = rowsWithPrefix(rows, WebhookAttempts, [deliveryId]).at(-1)
    if (delivery === undefined || subscription === undefined || attempt === undefined) {
      return violation(`a webhook request was sent for ${deliveryId}, of which nothing is recorded`)
    }
    // Server clocks may differ: the recorded time of the attempt counts.
    const { at } = attempt
    const problem =
      attempt.outcome !== null || attempt.envelopeDigest !== digestOf(asJson(Object(observed.body)))
        ? "its body differs from the recorded one of its last attempt"
        : (subscriptionProblem(subscription, delivery, at) ??
          (subscription.grantId === null
            ? personProblem(subscription, delivery.projectId, at, rows)
            : grantProblem(subscription.grantId, delivery.projectId, at, rows)))
    return problem === undefined ? null : violation(`a webhook request was sent for ${deliveryId} although ${problem}`)
  }
})

const subscriptionProblem = (
  { isPaused, revokedAt, expiresAt, projectIds, eventTypes }: SubscriptionRow,
  { projectId, eventType }: { readonly projectId: string; readonly eventType: SubscriptionRow["eventTypes"][number] },
  at: Instant
): string | undefined => {
  if (isPaused) return "its subscription is paused"
  if (revokedAt !== null || expiresAt <= at) return "its subscription has ended"
  return projectIds.includes(projectId) && eventTypes.includes(eventType)
    ? undefined
    : "its subscription is to other events"
}

const grantProblem = (grantId: string, projectId: string, at: Instant, rows: Rows): string | undefined => {
  const grant = rowIn(rows, Grants, [grantId])
  if (grant === undefined || grant.revokedAt !== null || grant.expiresAt <= at) return "its grant has ended"
  if (rowIn(rows, GrantProjects, [grantId, projectId]) === undefined) return "its grant does not include the project"
  const membership = membershipAt(grant.membershipId, at, rows)
  return membership?.authorities.includes("DELEGATE") === true ? undefined : "the grantor may no longer delegate"
}

const personProblem = (
  { membershipId, personId }: SubscriptionRow,
  projectId: string,
  at: Instant,
  rows: Rows
): string | undefined => {
  const membership = membershipAt(membershipId, at, rows)
  if (membership === undefined) return "its owner is no longer a member"
  const project = rowIn(rows, Projects, [projectId])
  const { organizationId } = membership
  const isParty =
    project?.supplierActorId === personId ||
    project?.buyerOrganizationId === organizationId ||
    project?.supplierOrganizationId === organizationId
  return isParty ? undefined : "its owner is no party of the project"
}

const membershipAt = (membershipId: string, at: Instant, rows: Rows) => {
  const membership = rowIn(rows, Memberships, [membershipId])
  return membership?.endedAt === null && at < membership.validUntil ? membership : undefined
}
