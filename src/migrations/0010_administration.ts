/** The acts of operators, and the indexes of their listings. */
export const administration: ReadonlyArray<string> = [
  `create table administration_acts (
    act_id text collate "C" not null,
    step bigint not null check (step >= 1),
    at timestamptz(3) not null,
    who text collate "C" not null,
    account text collate "C" not null,
    why text collate "C",
    command text collate "C" not null,
    arguments jsonb not null,
    outcome text collate "C" not null,
    changed jsonb not null,
    primary key (act_id, step)
  )`,
  `create index administration_acts_by_time on administration_acts (at, act_id, step)`,
  `create index administration_acts_by_who on administration_acts (who, at, act_id, step)`,
  `create index administration_acts_by_command on administration_acts (command, at, act_id, step)`,
  `create index administration_acts_by_who_and_command on administration_acts (who, command, at, act_id, step)`,
  `create index grants_by_organization on grants (organization_id, grant_id)`,
  `create index grants_by_person on grants (person_id, grant_id)`,
  `create index connections_by_state on connections (state, connection_id)`,
  `create index webhook_subscriptions_by_person on webhook_subscriptions (person_id, subscription_id)`
]
