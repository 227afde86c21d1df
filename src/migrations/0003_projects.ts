/** Projects: one row per project, its signed events, its pauses, its issuance request, and the scope of grants. */
export const projects = [
  `create table projects (
    project_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    buyer_organization_id text collate "C" not null references organizations,
    buyer_actor_id text collate "C" not null references persons,
    supplier_actor_id text collate "C" references persons,
    supplier_organization_id text collate "C" references organizations,
    state text collate "C" not null check (state in (
      'AWAITING_SUPPLIER', 'LOCKED', 'SUBMITTED', 'CHANGES_REQUESTED', 'AWAITING_EVIDENCE',
      'AGREEMENT_CHANGES_REQUESTED', 'SUPPLIER_DECLINED', 'BUYER_REJECTED', 'BUYER_CONFIRMED',
      'CONFIRMATION_CONTESTED', 'CONFIRMATION_WITHDRAWN', 'SUPERSEDED'
    )),
    agreement text collate "C" not null,
    agreement_digest text collate "C" not null,
    head_event_hash text collate "C" not null,
    event_count bigint not null check (event_count between 1 and 100),
    history_bytes bigint not null check (history_bytes <= 1048576),
    last_event_at timestamptz(3) not null,
    automation_revision bigint not null check (automation_revision >= 0),
    pauses jsonb not null,
    created_at timestamptz(3) not null,
    check (buyer_actor_id <> supplier_actor_id)
  )`,
  `create table project_events (
    project_id text collate "C" not null references projects,
    sequence bigint not null check (sequence between 1 and 100),
    kind text collate "C" not null,
    hash text collate "C" not null,
    jws text collate "C" not null,
    occurred_at timestamptz(3) not null,
    primary key (project_id, sequence),
    constraint project_events_by_hash unique (project_id, hash)
  )`,
  `create table automation_changes (
    project_id text collate "C" not null references projects,
    revision bigint not null check (revision >= 1),
    paused boolean not null,
    side text collate "C" not null check (side in ('BUYER', 'SUPPLIER')),
    "by" text collate "C" not null references persons,
    reason text collate "C" not null,
    at timestamptz(3) not null,
    primary key (project_id, revision)
  )`,
  `create table issuances (
    project_id text collate "C" primary key references projects,
    confirmation_id text collate "C" not null,
    status text collate "C" not null check (status in ('PENDING', 'ISSUED', 'STOPPED')),
    continuation text collate "C" check (continuation in ('WAITING_COVERAGE', 'NEEDS_REVIEW')),
    request_id text collate "C" not null,
    grant_id text collate "C" not null references grants,
    membership_id text collate "C" not null references memberships,
    generation bigint not null,
    head_event_hash text collate "C" not null,
    automation_revision bigint not null,
    record_id text collate "C",
    due_at timestamptz(3) not null,
    leased_until timestamptz(3) not null,
    lease_token text collate "C" not null,
    check ((status = 'ISSUED') = (record_id is not null))
  )`,
  `create index issuances_by_due on issuances (due_at, project_id)`,
  `create table grant_projects (
    grant_id text collate "C" not null references grants deferrable initially deferred,
    project_id text collate "C" not null references projects deferrable initially deferred,
    salt text collate "C" not null,
    sequence bigint not null,
    linked_at timestamptz(3) not null,
    primary key (grant_id, project_id)
  )`
]
