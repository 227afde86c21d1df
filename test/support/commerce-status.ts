/** The status and the refresh of payment attempts, and notifications of the simulated provider, as they are requested. */
import { Effect } from "effect"
import { notificationAbout, type NotificationRequest } from "../../simulator/payments/notification.ts"
import { purchaseOf } from "../../simulator/payments/provider.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import type { CommerceStatus } from "../../src/commerce/commerce-status.ts"
import { CommerceComponents } from "../../src/commerce/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { components } from "../../src/vocabulary/payments.ts"
import { rowOf } from "./attempts.ts"
import { testProvider } from "./payments.ts"
import { send } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"
import { createdBody, options } from "./workspace.ts"

export const requestStatus = (by: SignedInPerson, commerceOrderId: string, query = "") =>
  send("GET", `/api/commerce/orders/${commerceOrderId}/status${query}`, options(by, {}))

export const statusIn = (body: { readonly status: string }): CommerceStatus => parseSigned(body.status)

/** The payload of the status; fails the test if it is refused. */
export const statusOf = (by: SignedInPerson, commerceOrderId: string, query = "") =>
  Effect.map(requestStatus(by, commerceOrderId, query), (answer) => statusIn(createdBody(answer)))

export const refresh = (by: SignedInPerson, commerceOrderId: string, body: unknown = {}) =>
  send("POST", `/api/commerce/orders/${commerceOrderId}/refresh`, options(by, { body }))

export const componentsOf = (commerceOrderId: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.view((reader) =>
      reader.range(CommerceComponents, "key", { prefix: [commerceOrderId], limit: components.length })
    )
  )

/** Moves the last read of every component into the past. */
export const ageObservations = Effect.fnUntraced(function* (commerceOrderId: string, milliseconds: number) {
  const { projectId } = yield* rowOf(commerceOrderId)
  const rows = yield* componentsOf(commerceOrderId)
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("project", projectId)] }, (transaction) =>
    Effect.forEach(rows, ({ component, lastObservedAt }) =>
      transaction.update(CommerceComponents, [commerceOrderId, component], {
        lastObservedAt: lastObservedAt === null ? null : addMilliseconds(lastObservedAt, -milliseconds)
      })
    )
  )
})

/** What the provider sends about an attempt, at this time. */
export const notificationOf = Effect.fnUntraced(function* (commerceOrderId: string, at?: Instant) {
  const { state } = yield* testProvider
  return notificationAbout(purchaseOf(state, commerceOrderId)!, at ?? (yield* now))
})

export const notify = ({ rawBody, headers }: NotificationRequest) =>
  send("POST", "/api/payments/notifications", { raw: rawBody, headers })
