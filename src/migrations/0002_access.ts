/** Delegated access: grants, hashes of credentials, scope, authority chains; and idempotency keys. */
export const access = [
  `create table grants (
    grant_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    organization_id text collate "C" not null references organizations,
    membership_id text collate "C" not null references memberships,
    person_id text collate "C" not null references persons,
    authorizer_name text collate "C" not null,
    agent_id text collate "C" not null,
    agent_name text collate "C" not null,
    role text collate "C" not null check (role in ('BUYER', 'SUPPLIER')),
    actions jsonb not null,
    subject_requirements jsonb not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3),
    generation bigint not null check (generation >= 1),
    project_count bigint not null check (project_count between 0 and 50),
    authority_head text collate "C" not null,
    authority_sequence bigint not null check (authority_sequence >= 1),
    authority_at timestamptz(3) not null
  )`,
  `create index grants_by_membership on grants (membership_id, grant_id)`,
  `create table credentials (
    token_hash text collate "C" primary key check (token_hash ~ '^[0-9a-f]{64}$'),
    grant_id text collate "C" not null references grants,
    membership_id text collate "C" not null references memberships,
    generation bigint not null,
    created_at timestamptz(3) not null
  )`,
  `create table authority_events (
    grant_id text collate "C" not null references grants deferrable initially deferred,
    sequence bigint not null check (sequence >= 1),
    hash text collate "C" not null,
    jws text collate "C" not null,
    primary key (grant_id, sequence)
  )`,
  `create table request_keys (
    owner text collate "C" not null,
    request_id text collate "C" not null,
    fingerprint text collate "C" not null,
    target text collate "C" not null,
    committed_at timestamptz(3) not null,
    primary key (owner, request_id)
  )`
]
