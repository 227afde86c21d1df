/** The database's record of its installation: the epoch of its credentials, and the keys that it depends on. */
export const installation: ReadonlyArray<string> = [
  // The epoch of an installation that was never restored is empty: its hashes do not change.
  `create table countersign_installation (
    is_only boolean primary key default true check (is_only),
    epoch text collate "C" not null,
    secret_key_id text collate "C"
  )`,
  `insert into countersign_installation (epoch) values ('')`,
  `create table countersign_issuer_keys (
    kid text collate "C" primary key,
    valid_from timestamptz(3) not null
  )`,
  // The key ids of all existing signatures. Headers repeat within a kind, so only few are decoded.
  `insert into countersign_issuer_keys (kid, valid_from)
    select distinct substring(convert_from(decode(rpad(
      translate(header, '-_', '+/'), (length(header) + 3) / 4 * 4, '='
    ), 'base64'), 'UTF8') from '"kid":"([^"]+)"'), timestamptz '1970-01-01T00:00:00Z'
    from (
      select split_part(jws, '.', 1) as header from project_events
      union select split_part(jws, '.', 1) from authority_events
      union select split_part(jws, '.', 1) from proposal_events
      union select split_part(jws, '.', 1) from result_records
    ) as headers
    where header like 'eyJhbGciOiJFZERTQSIsImtpZCI6I%'`
]
