/** The event types of webhook subscriptions (6.1). */
export const eventTypes = [
  "agreement.confirmed",
  "delivery.submitted",
  "changes.requested",
  "acceptance.decided",
  "record.changed"
] as const
export type EventType = (typeof eventTypes)[number]
