/** Publications of results, and the subjects under which a supplier's publications are found. */
export const publications: ReadonlyArray<string> = [
  `create table provider_subjects (
    organization_id text collate "C" primary key references organizations,
    subject_id text collate "C" not null,
    created_at timestamptz(3) not null,
    constraint provider_subjects_by_subject unique (subject_id)
  )`,
  // The summary is text, since its bytes are signed.
  `create table publications (
    publication_id text collate "C" primary key,
    project_id text collate "C" not null references projects,
    buyer_organization_id text collate "C" not null references organizations,
    subject_id text collate "C" not null references provider_subjects (subject_id),
    record_id text collate "C" not null,
    state text collate "C" not null check (state in ('PROPOSED', 'PUBLISHED', 'WITHDRAWN')),
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$'),
    summary text collate "C" not null,
    completion_time timestamptz(3) not null,
    proposed_by text collate "C" not null references persons,
    proposed_at timestamptz(3) not null,
    approved_by text collate "C" references persons,
    approved_at timestamptz(3),
    withdrawn_by text collate "C" references persons,
    withdrawn_side text collate "C" check (withdrawn_side in ('BUYER', 'SUPPLIER')),
    withdrawn_at timestamptz(3),
    withdrawn_reason text collate "C",
    check ((approved_by is null) = (approved_at is null)),
    check (state <> 'PUBLISHED' or approved_at is not null),
    check (state <> 'PROPOSED' or approved_at is null),
    check ((state = 'WITHDRAWN') = (withdrawn_at is not null)),
    check ((withdrawn_at is null) = (withdrawn_by is null)),
    check ((withdrawn_at is null) = (withdrawn_side is null)),
    check ((withdrawn_at is null) = (withdrawn_reason is null))
  )`,
  `create index publications_by_project on publications (project_id, proposed_at, publication_id)`,
  `create index publications_by_subject on publications (subject_id, state, completion_time, publication_id)`,
  `create index publications_by_buyer on publications (buyer_organization_id, state, proposed_at, publication_id)`
]
