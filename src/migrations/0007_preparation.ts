/** Preparation of agreements: specifications, drafts, proposals, saved jobs. */
export const preparation: ReadonlyArray<string> = [
  `create table specifications (
    specification_id text collate "C" primary key,
    version bigint not null check (version >= 1),
    title text collate "C" not null,
    summary text collate "C" not null,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$')
  )`,
  // Text, since its bytes are hashed.
  `create table specification_versions (
    specification_id text collate "C" not null references specifications deferrable initially deferred,
    version bigint not null check (version >= 1),
    document text collate "C" not null,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$'),
    content_digest text collate "C" not null check (content_digest ~ '^[0-9a-f]{64}$'),
    published_at timestamptz(3) not null,
    primary key (specification_id, version),
    constraint specification_versions_by_content unique (specification_id, content_digest)
  )`,
  `create table specification_words (
    word text collate "C" not null,
    specification_id text collate "C" not null references specifications deferrable initially deferred,
    primary key (word, specification_id)
  )`,
  `create index specification_words_by_specification on specification_words (specification_id, word)`,
  `create table drafts (
    draft_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    organization_id text collate "C" not null references organizations,
    role text collate "C" not null check (role in ('BUYER', 'SUPPLIER')),
    title text collate "C",
    revision bigint not null check (revision >= 1),
    state text collate "C" not null check (state in ('DRAFT', 'COMMITTED', 'DISCARDED')),
    prepared_by text collate "C" not null references persons,
    grant_id text collate "C" references grants,
    agent_name text collate "C",
    outcome_id text collate "C",
    created_at timestamptz(3) not null,
    changed_at timestamptz(3) not null,
    check ((state = 'COMMITTED') = (outcome_id is not null)),
    check ((grant_id is null) = (agent_name is null))
  )`,
  `create table draft_contents (
    draft_id text collate "C" primary key references drafts,
    content jsonb not null
  )`,
  `create index drafts_by_side on drafts (organization_id, role, created_at, draft_id)`,
  `create table proposals (
    proposal_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    organization_id text collate "C" not null references organizations,
    state text collate "C" not null
      check (state in ('DRAFT', 'PUBLISHED', 'CHANGES_REQUESTED', 'ACCEPTED', 'DECLINED', 'WITHDRAWN')),
    version bigint not null check (version >= 1),
    summary jsonb not null,
    published_version bigint,
    published_summary jsonb,
    recipient_actor_id text collate "C" references persons,
    buyer_organization_id text collate "C" references organizations,
    head_event_hash text collate "C" not null check (head_event_hash ~ '^[0-9a-f]{64}$'),
    event_count bigint not null check (event_count between 1 and 100),
    last_event_at timestamptz(3) not null,
    automation_revision bigint not null check (automation_revision >= 0),
    pauses jsonb not null,
    holders jsonb not null,
    project_id text collate "C" references projects deferrable initially deferred,
    created_at timestamptz(3) not null,
    check ((published_version is null) = (recipient_actor_id is null)),
    check ((published_version is null) = (published_summary is null)),
    check ((state = 'ACCEPTED') = (project_id is not null)),
    check ((state = 'ACCEPTED') = (buyer_organization_id is not null))
  )`,
  `create table proposal_versions (
    proposal_id text collate "C" not null references proposals deferrable initially deferred,
    version bigint not null check (version >= 1),
    document text collate "C" not null,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$'),
    recipient_reference text collate "C" not null,
    primary key (proposal_id, version)
  )`,
  `create table proposal_events (
    proposal_id text collate "C" not null references proposals deferrable initially deferred,
    sequence bigint not null check (sequence between 1 and 100),
    kind text collate "C" not null,
    hash text collate "C" not null check (hash ~ '^[0-9a-f]{64}$'),
    jws text collate "C" not null,
    occurred_at timestamptz(3) not null,
    primary key (proposal_id, sequence),
    constraint proposal_events_by_hash unique (proposal_id, hash)
  )`,
  // No party is on both sides of one proposal.
  `create table proposal_sides (
    party text collate "C" not null,
    proposal_id text collate "C" not null references proposals deferrable initially deferred,
    role text collate "C" not null check (role in ('BUYER', 'SUPPLIER')),
    at timestamptz(3) not null,
    primary key (party, proposal_id)
  )`,
  `create index proposal_sides_by_time on proposal_sides (party, at, proposal_id)`,
  `create index proposal_sides_by_proposal on proposal_sides (proposal_id, party)`,
  `create table proposal_automation_changes (
    proposal_id text collate "C" not null references proposals,
    revision bigint not null check (revision >= 1),
    paused boolean not null,
    side text collate "C" not null check (side in ('BUYER', 'SUPPLIER')),
    "by" text collate "C" not null,
    reason text collate "C" not null,
    at timestamptz(3) not null,
    primary key (proposal_id, revision)
  )`,
  `alter table grants add column proposal_count bigint not null default 0 check (proposal_count >= 0)`,
  `alter table grants add column draft_count bigint not null default 0 check (draft_count >= 0)`,
  `alter table grants add column job_count bigint not null default 0 check (job_count >= 0)`,
  `create table grant_proposals (
    grant_id text collate "C" not null references grants,
    proposal_id text collate "C" not null references proposals deferrable initially deferred,
    salt text collate "C" not null,
    sequence bigint not null check (sequence >= 1),
    linked_at timestamptz(3) not null,
    primary key (grant_id, proposal_id)
  )`,
  `create index grant_proposals_by_sequence on grant_proposals (grant_id, sequence, proposal_id)`,
  `create table jobs (
    job_id text collate "C" primary key,
    grant_id text collate "C" not null references grants,
    project_id text collate "C" not null references projects,
    sequence bigint not null check (sequence >= 1),
    workflow_reference text collate "C" not null,
    request_id text collate "C" not null,
    envelope_digest text collate "C" not null check (envelope_digest ~ '^[0-9a-f]{64}$'),
    expected_event_hash text collate "C" not null check (expected_event_hash ~ '^[0-9a-f]{64}$'),
    automation_revision bigint not null check (automation_revision >= 0),
    state text collate "C" not null check (state in ('PREPARED', 'SUBMITTED')),
    prepared_at timestamptz(3) not null,
    submitted_at timestamptz(3),
    submission_id text collate "C",
    check ((state = 'SUBMITTED') = (submitted_at is not null)),
    check ((state = 'SUBMITTED') = (submission_id is not null))
  )`,
  `create index jobs_by_project on jobs (grant_id, project_id, sequence, job_id)`,
  // Text, since its bytes are hashed.
  `create table job_envelopes (
    job_id text collate "C" primary key references jobs deferrable initially deferred,
    envelope text collate "C" not null
  )`
]
