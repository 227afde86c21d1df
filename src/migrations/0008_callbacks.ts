/** Webhooks about project events: subscriptions, the outbox, deliveries and their attempts. */
export const callbacks: ReadonlyArray<string> = [
  `alter table projects add column listeners bigint not null default 0 check (listeners >= 0)`,
  `create table webhook_subscriptions (
    subscription_id text collate "C" primary key,
    owner text collate "C" not null,
    grant_id text collate "C" references grants,
    person_id text collate "C" not null references persons,
    membership_id text collate "C" not null references memberships,
    target text collate "C" not null,
    project_ids jsonb not null,
    event_types jsonb not null,
    is_paused boolean not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    secret_version bigint not null check (secret_version >= 1),
    sealed_secret text collate "C" not null,
    delivery_count bigint not null check (delivery_count >= 0),
    failures bigint not null check (failures >= 0),
    exhausted bigint not null check (exhausted >= 0),
    flights jsonb not null,
    due_at timestamptz(3) not null,
    leased_until timestamptz(3) not null,
    lease_token text collate "C" not null,
    check (owner = coalesce(grant_id, person_id))
  )`,
  `create index webhook_subscriptions_by_due on webhook_subscriptions (due_at, subscription_id)`,
  `create table webhook_places (
    owner text collate "C" not null,
    subscription_id text collate "C" not null
      references webhook_subscriptions deferrable initially deferred,
    ends_at timestamptz(3) not null,
    primary key (owner, subscription_id)
  )`,
  `create index webhook_places_by_end on webhook_places (owner, ends_at, subscription_id)`,
  `create table webhook_reaches (
    subscription_id text collate "C" not null
      references webhook_subscriptions deferrable initially deferred,
    project_id text collate "C" not null references projects,
    numbered_through bigint not null check (numbered_through >= 0),
    primary key (subscription_id, project_id)
  )`,
  `create table webhook_listeners (
    project_id text collate "C" not null references projects,
    subscription_id text collate "C" not null
      references webhook_subscriptions deferrable initially deferred,
    side text collate "C" not null check (side in ('BUYER', 'SUPPLIER')),
    event_types jsonb not null,
    expires_at timestamptz(3) not null,
    primary key (project_id, subscription_id)
  )`,
  // Text, since its bytes are signed.
  `create table webhook_events (
    event_id text collate "C" primary key,
    project_id text collate "C" not null references projects,
    sequence bigint not null check (sequence >= 1),
    type text collate "C" not null,
    event text collate "C" not null,
    subscription_ids jsonb not null,
    committed_at timestamptz(3) not null,
    due_at timestamptz(3) not null,
    leased_until timestamptz(3) not null,
    lease_token text collate "C" not null
  )`,
  `create index webhook_events_by_due on webhook_events (due_at, event_id)`,
  `create index webhook_events_by_project on webhook_events (project_id, sequence, event_id)`,
  `create table webhook_deliveries (
    delivery_id text collate "C" primary key,
    subscription_id text collate "C" not null references webhook_subscriptions,
    number bigint not null check (number >= 1),
    checkpoint text collate "C" not null,
    event_id text collate "C" not null references webhook_events,
    event_type text collate "C" not null,
    project_id text collate "C" not null,
    state text collate "C" not null check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELLED')),
    scheduled_attempts bigint not null check (scheduled_attempts between 0 and 8),
    total_attempts bigint not null check (total_attempts between scheduled_attempts and 80),
    last_attempt jsonb,
    due_at timestamptz(3) not null,
    lease_token text collate "C" not null,
    constraint webhook_deliveries_by_number unique (subscription_id, number),
    constraint webhook_deliveries_by_checkpoint unique (subscription_id, checkpoint)
  )`,
  `create index webhook_deliveries_by_due on webhook_deliveries (subscription_id, due_at, delivery_id)`,
  `create index webhook_deliveries_by_place on webhook_deliveries (subscription_id, number, delivery_id)`,
  `create table webhook_attempts (
    delivery_id text collate "C" not null references webhook_deliveries,
    attempt bigint not null check (attempt between 1 and 80),
    subscription_id text collate "C" not null,
    at timestamptz(3) not null,
    envelope_digest text collate "C" not null check (envelope_digest ~ '^([0-9a-f]{64})?$'),
    timestamp bigint,
    lease_token text collate "C" not null,
    outcome text collate "C",
    status_code bigint,
    duration_ms bigint check (duration_ms >= 0),
    check ((timestamp is null) = (envelope_digest = '')),
    primary key (delivery_id, attempt)
  )`,
  `create index webhook_attempts_by_digest on webhook_attempts
    (subscription_id, envelope_digest, delivery_id, attempt)`
]
