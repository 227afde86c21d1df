/** The wakeup of webhook workers over a database, as one process has it. */
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { makeNotifications, Notifications } from "../../src/adapters/notifications.ts"
import { makeWebhookWakeup } from "../../src/adapters/webhook-wakeup.ts"

export const webhookWakeupOn = (connection: ConnectionOptions) =>
  Effect.provideServiceEffect(makeWebhookWakeup, Notifications, makeNotifications(connection))
