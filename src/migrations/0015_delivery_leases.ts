/** Leases of deliveries beside their due times, and indexes of what is due that hold nothing else. */
export const deliveryLeases: ReadonlyArray<string> = [
  `alter table webhook_deliveries add column leased_until timestamptz(3) not null default 'epoch'`,
  `alter table webhook_deliveries alter column leased_until drop default`,
  // Unique (subscription_id, number) has the same order.
  `drop index webhook_deliveries_by_place`,
  `drop index webhook_deliveries_by_due`,
  `create index webhook_deliveries_by_due on webhook_deliveries (subscription_id, due_at, delivery_id)
    where due_at < '9999-12-31T23:59:59.999Z'`,
  `drop index webhook_subscriptions_by_due`,
  `create index webhook_subscriptions_by_due on webhook_subscriptions (due_at, subscription_id)
    where due_at < '9999-12-31T23:59:59.999Z'`,
  `drop index webhook_events_by_due`,
  `create index webhook_events_by_due on webhook_events (due_at, event_id)
    where due_at < '9999-12-31T23:59:59.999Z'`,
  // Room for the updates of a send on the page of its row, where they change no index.
  `alter table webhook_deliveries set (fillfactor = 80)`,
  `alter table webhook_attempts set (fillfactor = 80)`,
  `alter table webhook_subscriptions set (fillfactor = 50)`
]
