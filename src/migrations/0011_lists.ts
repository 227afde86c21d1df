/** What lists and webhooks need of a project: columns that are written with its events, and an index by its creation. */
export const lists: ReadonlyArray<string> = [
  `alter table projects
    add column hold_purpose text collate "C" check (hold_purpose in ('DELIVERY', 'REVIEW')),
    add column signed_by jsonb not null default '[]'`,
  // One pass over the events; only projects with a signature or a hold are rewritten. Texts of parties can hold what no
  // type of Postgres can, so that the members are found in the text: a string in it has no unescaped quote.
  `update projects set signed_by = found.signed_by, hold_purpose = found.hold_purpose
    from (
      select project_id,
        coalesce(jsonb_agg(substring(event from '"party":"([A-Z]+)"') order by sequence) filter (where kind = 'SIGN'),
          '[]') as signed_by,
        (array_agg(case kind when 'DATE_REVISION' then substring(event from '"purpose":"([A-Z]+)"') end
          order by sequence desc) filter (where kind <> 'SIGN'))[1] as hold_purpose
      from (
        select project_id, sequence, kind, convert_from(decode(rpad(
          translate(body, '-_', '+/'), (length(body) + 3) / 4 * 4, '='
        ), 'base64'), 'UTF8') as event
        from (
          select project_id, sequence, kind, split_part(jws, '.', 2) as body
          from project_events where kind in ('SIGN', 'DATE_REVISION', 'LIFT_HOLD', 'SUPERSEDE')
        ) as encoded
      ) as events
      group by project_id
    ) as found
    where projects.project_id = found.project_id
      and (found.signed_by <> '[]' or found.hold_purpose is not null)`,
  `alter table project_sides add column created_at timestamptz(3)`,
  `update project_sides set created_at = projects.created_at
    from projects where projects.project_id = project_sides.project_id`,
  `alter table project_sides alter column created_at set not null`,
  `create index project_sides_by_creation on project_sides (party, created_at, project_id)`
]
