/** People who sign in, invitations and contacts; connections and the use of credentials; sides of projects; items. */
export const delegatedAccess = [
  `create table membership_places (
    person_id text collate "C" not null references persons,
    organization_id text collate "C" not null references organizations,
    membership_id text collate "C" not null references memberships deferrable initially deferred,
    primary key (person_id, organization_id)
  )`,
  `insert into membership_places (person_id, organization_id, membership_id)
    select distinct on (person_id, organization_id) person_id, organization_id, membership_id
    from memberships order by person_id, organization_id, (ended_at is null) desc, valid_until desc`,
  `create table self_service_accounts (
    organization_id text collate "C" primary key references organizations,
    person_id text collate "C" not null references persons,
    membership_id text collate "C" not null references memberships,
    created_at timestamptz(3) not null,
    removed_at timestamptz(3)
  )`,
  `create index self_service_accounts_by_person on self_service_accounts (person_id, organization_id)`,
  `create table sessions (
    session_id text collate "C" primary key,
    person_id text collate "C" not null references persons,
    token_hash text collate "C" not null check (token_hash ~ '^[0-9a-f]{64}$'),
    authenticated_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    ended_at timestamptz(3),
    constraint sessions_by_token unique (token_hash)
  )`,
  `create index sessions_by_person on sessions (person_id, session_id)`,
  `create table invitations (
    invitation_id text collate "C" primary key,
    code_hash text collate "C" not null check (code_hash ~ '^[0-9a-f]{64}$'),
    kind text collate "C" not null check (kind in ('MEMBERSHIP', 'REPRESENTATIVE', 'PARTICIPATION')),
    organization_id text collate "C" not null references organizations,
    project_id text collate "C" references projects,
    terms jsonb not null,
    invited_by text collate "C" not null references persons,
    membership_id text collate "C" not null references memberships,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    state text collate "C" not null check (state in ('OPEN', 'ACCEPTED', 'REVOKED')),
    concluded_at timestamptz(3),
    accepted_by text collate "C" references persons,
    made_id text collate "C",
    constraint invitations_by_code unique (code_hash),
    check ((state = 'OPEN') = (concluded_at is null)),
    check ((state = 'ACCEPTED') = (accepted_by is not null)),
    check ((kind = 'MEMBERSHIP') = (project_id is null))
  )`,
  `create index invitations_by_organization on invitations (organization_id, invitation_id)`,
  `create table contacts (
    place text collate "C" primary key,
    contact_id text collate "C" not null,
    organization_id text collate "C" not null references organizations,
    reference text collate "C" not null,
    name text collate "C" not null,
    person_id text collate "C" not null references persons,
    created_at timestamptz(3) not null
  )`,
  `create index contacts_by_organization on contacts (organization_id, place)`,
  `create table attempt_counters (
    counter_id text collate "C" primary key,
    window_started_at timestamptz(3) not null,
    attempts bigint not null check (attempts >= 0)
  )`,
  `create index attempt_counters_by_window on attempt_counters (window_started_at, counter_id)`,
  `alter table credentials add column first_used_at timestamptz(3), add column last_used_at timestamptz(3)`,
  // Credentials could not be recovered before this migration, so each of them counts as used.
  `update credentials set first_used_at = created_at, last_used_at = created_at`,
  `alter table credentials
    add constraint credentials_by_generation unique (grant_id, generation),
    add check ((first_used_at is null) = (last_used_at is null))`,
  `create index credentials_by_grant on credentials (grant_id, token_hash)`,
  `create table connections (
    connection_id text collate "C" primary key,
    device_code_hash text collate "C" not null check (device_code_hash ~ '^[0-9a-f]{64}$'),
    user_code_hash text collate "C" not null,
    key_id text collate "C" not null,
    agent_name text collate "C" not null,
    client text collate "C" not null,
    origin text collate "C",
    requested_role text collate "C" check (requested_role in ('BUYER', 'SUPPLIER')),
    requested_actions jsonb not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    state text collate "C" not null check (state in ('PENDING', 'APPROVED', 'DENIED', 'COLLECTED', 'ENDED')),
    interval bigint not null check (interval >= 5),
    polled_at timestamptz(3),
    session_id text collate "C",
    person_id text collate "C" references persons,
    membership_id text collate "C" references memberships,
    grant_id text collate "C" references grants deferrable initially deferred,
    due_at timestamptz(3) not null,
    leased_until timestamptz(3) not null,
    lease_token text collate "C" not null,
    constraint connections_by_device_code unique (device_code_hash),
    constraint connections_by_user_code unique (user_code_hash),
    check ((session_id is null) = (person_id is null)),
    check ((grant_id is null) = (membership_id is null))
  )`,
  `create index connections_by_due on connections (due_at, connection_id)`,
  `create table project_sides (
    party text collate "C" not null,
    project_id text collate "C" not null references projects deferrable initially deferred,
    role text collate "C" not null check (role in ('BUYER', 'SUPPLIER')),
    primary key (party, project_id)
  )`,
  `insert into project_sides (party, project_id, role)
    select buyer_organization_id, project_id, 'BUYER' from projects
    union all
    select supplier_actor_id, project_id, 'SUPPLIER' from projects where supplier_actor_id is not null
    union all
    select supplier_organization_id, project_id, 'SUPPLIER' from projects
    where supplier_organization_id is not null and supplier_organization_id <> buyer_organization_id`,
  `create table participation_items (
    item_id text collate "C" primary key,
    project_id text collate "C" not null references projects,
    side text collate "C" not null check (side in ('BUYER', 'SUPPLIER')),
    invited_by text collate "C" not null references persons,
    person_id text collate "C" not null references persons,
    title text collate "C" not null,
    instructions text collate "C" not null,
    due_at timestamptz(3),
    state text collate "C" not null check (state in ('OPEN', 'DONE', 'WITHDRAWN')),
    accepted_at timestamptz(3) not null,
    ended_at timestamptz(3),
    note_count bigint not null check (note_count between 0 and 100),
    credential_hash text collate "C" check (credential_hash ~ '^[0-9a-f]{64}$'),
    check ((state = 'OPEN') = (ended_at is null)),
    check (state = 'OPEN' or credential_hash is null)
  )`,
  `create index participation_items_by_person on participation_items (person_id, accepted_at, item_id)`,
  `create index participation_items_by_project on participation_items (project_id, side, accepted_at, item_id)`,
  `create table participation_credentials (
    token_hash text collate "C" primary key check (token_hash ~ '^[0-9a-f]{64}$'),
    item_id text collate "C" not null references participation_items,
    person_id text collate "C" not null references persons,
    session_id text collate "C" not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    check (created_at < expires_at)
  )`,
  `create table participation_notes (
    item_id text collate "C" not null references participation_items,
    sequence bigint not null check (sequence between 1 and 100),
    text text collate "C" not null,
    at timestamptz(3) not null,
    primary key (item_id, sequence)
  )`
]
