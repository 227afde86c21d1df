/** Postgres can be distributed by organization: a transaction stays on one node, and no row moves to another. */
import type { AnyTable } from "../../../src/ports/table.ts"
import { tables } from "../../../src/tables.ts"
import type { Write } from "../../observation/observation.ts"
import { isNamedCrossing } from "../homes/crossings.ts"
import { homeOf } from "../homes/home-of.ts"
import { monitoredProperty, rowIn, type Rows, violation } from "../property.ts"

export const oneHomePerTransaction = monitoredProperty<null>({
  name: "one home per transaction",
  kind: "always",
  says:
    "A transaction writes rows of one organization, of a project those of its buyer's, unless the list of crossings names " +
    "it; a row never changes its organization.",
  judges: { kinds: ["commit"] },
  initial: null,
  next: (_, { observed, rows, before }) => {
    if (observed.kind !== "commit") return null
    const withHome: Array<Write> = []
    const homes = new Map<string, string>()
    for (const write of observed.writes) {
      const was = homeIn(before, write)
      const home = homeIn(rows, write) ?? was
      if (home === undefined) continue
      if (was !== undefined && was !== home)
        return violation(`${write.table} ${write.key.join()} left ${was} for ${home}`)
      withHome.push(write)
      if (!homes.has(home)) homes.set(home, write.table)
    }
    if (homes.size < 2 || isNamedCrossing(withHome, homes.size)) return null
    const parts = [...homes].map(([home, table]) => `${table} of ${home}`)
    return violation(`one transaction wrote rows of ${homes.size} organizations: ${parts.join(", ")}`)
  }
})

const homeIn = (rows: Rows, { table: name, key }: Write): string | undefined => {
  const table = tableNamed.get(name)!
  const row = rowIn(rows, table, key)
  return row === undefined ? undefined : homeOf(rows, table, row)
}

const tableNamed: ReadonlyMap<string, AnyTable> = new Map(tables.map((table) => [table.name, table]))
