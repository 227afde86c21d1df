/** Replaces the ids in a violation by the names of the scenario. */
import type { NameRegistry } from "../../clients/name-registry.ts"

/** Ids without a name stay. */
export const withNames = (words: string, directory: NameRegistry): string => {
  const names = new Map(namesIn(directory))
  return words.replace(/\b[a-z]+_[\w-]+/g, (id) => names.get(id) ?? id)
}

/** Names by id, the last one counts: an actor's name takes precedence over the name of a saved response. */
const namesIn = ({ agents, people, organizations, names }: NameRegistry): ReadonlyArray<readonly [string, string]> => [
  ...[...names].flatMap(([name, kept]) => (typeof kept === "string" ? [[kept, name] as const] : [])),
  ...[...organizations].map(([name, id]) => [id, name] as const),
  ...[...people].flatMap(([name, { id, memberships }]) => [
    [id, name] as const,
    ...[...memberships].map(([of, membership]) => [membership, `the membership of ${name} in ${of}`] as const)
  ]),
  ...[...agents].flatMap(([name, { id, grantId }]) => [[id, name] as const, [grantId, `the grant of ${name}`] as const])
]
