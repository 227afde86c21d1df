/** Revisions, issuance requested by a person, shared records, and e-mail addresses of people. */
export const wholeLife: ReadonlyArray<string> = [
  // An issuance request by a person has no grant; a hand-off is a pause by an agent.
  `alter table automation_changes drop constraint automation_changes_by_fkey`,
  `alter table issuances alter column grant_id drop not null`,
  `alter table issuances alter column generation drop not null`,
  `alter table issuances add column person_id text collate "C" references persons`,
  `alter table issuances add check ((grant_id is null) = (person_id is not null))`,
  `alter table issuances add check ((grant_id is null) = (generation is null))`,
  // A revision names the project that its acceptance supersedes; a project names its newest revision.
  `alter table projects add column supersedes_project_id text collate "C" references projects`,
  `alter table projects add column revision_project_id text collate "C" references projects deferrable initially deferred`,
  `create table person_addresses (
    person_id text collate "C" primary key references persons,
    email text collate "C" not null
  )`,
  `create table record_shares (
    share_id text collate "C" primary key,
    project_id text collate "C" not null references projects,
    side text collate "C" not null check (side in ('BUYER', 'SUPPLIER')),
    recipient text collate "C" not null,
    recipient_actor_id text collate "C" not null references persons,
    shared_by text collate "C" not null references persons,
    shared_at timestamptz(3) not null,
    opening_count bigint not null check (opening_count >= 0),
    revoked_by text collate "C" references persons,
    revoked_at timestamptz(3),
    check ((revoked_by is null) = (revoked_at is null))
  )`,
  `create index record_shares_by_project on record_shares (project_id, side, shared_at, share_id)`,
  `create index record_shares_by_recipient on record_shares (recipient_actor_id, shared_at, share_id)`,
  `create table record_share_openings (
    share_id text collate "C" not null references record_shares,
    sequence bigint not null check (sequence >= 1),
    project_id text collate "C" not null references projects,
    state text collate "C" not null,
    at timestamptz(3) not null,
    primary key (share_id, sequence)
  )`
]
