/** Words of a violation tell of ids: here those get the names that a script gave them. */
import type { Directory } from "../../directory.ts"

/** The same words; what nobody has named is still called by its id. */
export const withNames = (words: string, directory: Directory): string => {
  const names = new Map(namesIn(directory))
  return words.replace(/\b[a-z]+_[\w-]+/g, (id) => names.get(id) ?? id)
}

/** By id. Of several names the last counts: who somebody is says more than under which name an answer was kept. */
const namesIn = ({ agents, people, organizations, names }: Directory): ReadonlyArray<readonly [string, string]> => [
  ...[...names].flatMap(([name, kept]) => (typeof kept === "string" ? [[kept, name] as const] : [])),
  ...[...organizations].map(([name, id]) => [id, name] as const),
  ...[...people].flatMap(([name, { id, memberships }]) => [
    [id, name] as const,
    ...[...memberships].map(([of, membership]) => [membership, `the membership of ${name} in ${of}`] as const)
  ]),
  ...[...agents].flatMap(([name, { id, grantId }]) => [[id, name] as const, [grantId, `the grant of ${name}`] as const])
]
