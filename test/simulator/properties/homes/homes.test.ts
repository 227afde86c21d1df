/** The lists of homes are complete, and none of their rows is stale. */
import { assert, describe, it } from "vitest"
import { crossings } from "../../../../simulator/properties/homes/crossings.ts"
import { lookupsAcrossHomes, undirectedLookups } from "../../../../simulator/properties/homes/lookups.ts"
import { rowHomes } from "../../../../simulator/properties/homes/row-homes.ts"
import { tables } from "../../../../src/tables.ts"

describe("homes of rows", () => {
  it("Every table has one row in the table of homes, and every other row names a table", () => {
    assert.sameMembers(
      [...rowHomes.keys()],
      tables.map(({ name }) => name)
    )
  })

  it("A home is a column of its table, and a parent has a home and a key of one column", () => {
    for (const table of tables) {
      const home = rowHomes.get(table.name)
      if (home?.kind !== "organization" && home?.kind !== "parent") continue
      assert.property(table.columns, home.column, table.name)
      if (home.kind !== "parent") continue
      assert.lengthOf(home.parent.key, 1, table.name)
      assert.include(["organization", "parent"], rowHomes.get(home.parent.name)?.kind, table.name)
    }
  })

  it("A lookup names a column from which the home follows, or is in the list of lookups across homes", () => {
    const listed = lookupsAcrossHomes.flatMap(({ lookups }) =>
      lookups.flatMap(([{ name }, ...paths]) => paths.map((path) => `${name} ${path}`))
    )
    assert.deepEqual(listed.toSorted(), undirectedLookups())
  })

  it("A named crossing writes tables with a home only, those by which it is recognized among them", () => {
    for (const { name, writes, among } of crossings) {
      assert.includeMembers(
        [...among],
        writes.map(([table]) => table),
        name
      )
      for (const table of among) assert.include(["organization", "parent"], rowHomes.get(table.name)?.kind, name)
    }
  })
})
