/** Issued records, and the credits that cover them: a balance never below zero, and one debit per confirmation. */
export const records = [
  `create table organization_credits (
    organization_id text collate "C" primary key references organizations,
    balance bigint not null check (balance >= 0),
    entries bigint not null
  )`,
  `create table credit_entries (
    organization_id text collate "C" not null references organizations,
    sequence bigint not null,
    change bigint not null,
    balance bigint not null check (balance >= 0),
    reference text collate "C" not null,
    confirmation_id text collate "C",
    at timestamptz(3) not null,
    primary key (organization_id, sequence),
    constraint credit_entries_by_confirmation unique (confirmation_id)
  )`,
  `create table result_records (
    project_id text collate "C" not null references projects,
    confirmation_id text collate "C" not null,
    record_id text collate "C" not null,
    digest text collate "C" not null,
    jws text collate "C" not null,
    issued_at timestamptz(3) not null,
    primary key (project_id, confirmation_id),
    constraint result_records_by_record unique (record_id)
  )`
]
