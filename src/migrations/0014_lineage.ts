/** The history on which agreements rest: one reference and its link for each next agreement. */
export const lineage: ReadonlyArray<string> = [
  // The reference and the link are text, since their bytes are signed.
  `create table history_references (
    project_id text collate "C" primary key references projects,
    reference_id text collate "C" not null,
    digest text collate "C" not null check (digest ~ '^[0-9a-f]{64}$'),
    reference text collate "C" not null,
    link text collate "C" not null,
    made_at timestamptz(3) not null
  )`
]
