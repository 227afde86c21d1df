/** People: organizations, persons and the memberships that join them. */
export const people = [
  `create table organizations (
    organization_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    name text collate "C" not null,
    created_at timestamptz(3) not null
  )`,
  `create table persons (
    person_id text collate "C" primary key,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    name text collate "C" not null,
    created_at timestamptz(3) not null,
    constraint persons_by_subject unique (issuer, subject)
  )`,
  `create table memberships (
    membership_id text collate "C" primary key,
    tenant_id text collate "C" not null,
    organization_id text collate "C" not null references organizations,
    person_id text collate "C" not null references persons,
    authorities jsonb not null,
    valid_from timestamptz(3) not null,
    valid_until timestamptz(3) not null,
    ended_at timestamptz(3),
    check (valid_from < valid_until)
  )`,
  `create index memberships_by_person on memberships (person_id, membership_id)`,
  `create index memberships_by_organization on memberships (organization_id, membership_id)`
]
