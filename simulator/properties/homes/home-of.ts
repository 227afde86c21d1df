/** The home of one row, by the table of row homes. */
import type { AnyTable } from "../../../src/ports/table.ts"
import { rowIn, type Rows } from "../property.ts"
import { rowHomes } from "./row-homes.ts"

type AnyRow = { readonly [column: string]: unknown }

/** The organization; undefined for a row of a global table, and for one that takes the home of its transaction. */
export const homeOf = (rows: Rows, table: AnyTable, row: AnyRow): string | undefined => {
  const home = rowHomes.get(table.name)
  if (home === undefined) throw new TypeError(`simulator/properties/homes/row-homes.ts has no row for ${table.name}`)
  if (home.kind === "organization") return String(row[home.column])
  if (home.kind !== "parent") return undefined
  const parent: AnyRow | undefined = rowIn(rows, home.parent, [String(row[home.column])])
  return parent === undefined ? undefined : homeOf(rows, home.parent, parent)
}
