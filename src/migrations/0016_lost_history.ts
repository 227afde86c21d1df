/** Events that are known to be lost with an earlier database: the mark of a project, and the statements that explain gaps. */
import type { Step } from "./migration.ts"

export const lostHistory: ReadonlyArray<Step> = [
  {
    kind: "transaction",
    statements: [
      `alter table projects add column lost_head jsonb`,
      // The statement is text, since its bytes are signed.
      `create table history_gaps (
    project_id text collate "C" not null references projects,
    number bigint not null check (number >= 1),
    state text collate "C" not null check (state in ('OPEN', 'STATED')),
    lost_sequence bigint not null check (lost_sequence between 1 and 100),
    lost_event_hash text collate "C" not null check (lost_event_hash ~ '^[0-9a-f]{64}$'),
    source text collate "C" not null check (source in ('SIGNED', 'UNSIGNED', 'PROCESS')),
    found_at timestamptz(3) not null,
    kept_sequence bigint check (kept_sequence between 1 and 100),
    epoch text collate "C",
    statement text collate "C",
    primary key (project_id, number),
    check ((state = 'STATED') = (statement is not null and epoch is not null and kept_sequence is not null))
  )`,
      `create index history_gaps_by_state on history_gaps (state, project_id, number)`
    ]
  }
]
