/**
 * The lists of homes are complete, none of their rows is stale, and the page on scaling shows them.
 * `UPDATE_DOCS=1 npx vitest run --project service test/simulator/properties/homes` writes its lists.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { crossings } from "../../../../simulator/properties/homes/crossings.ts"
import { lookupsAcrossHomes, undirectedLookups } from "../../../../simulator/properties/homes/lookups.ts"
import { rowHomes } from "../../../../simulator/properties/homes/row-homes.ts"
import { columnName } from "../../../../src/adapters/postgres-storage/columns.ts"
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

const page = path.resolve(import.meta.dirname, "../../../../docs/operating/scaling.md")

it("The page on scaling lists homes, crossings and lookups as the simulator has them", () => {
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(page, generated(fs.readFileSync(page, "utf8")))
  const now = fs.readFileSync(page, "utf8")
  assert.strictEqual(
    now,
    generated(now),
    "run: UPDATE_DOCS=1 npx vitest run --project service test/simulator/properties/homes"
  )
})

const generated = (text: string): string =>
  text.replace(/<!-- homes -->\n[\s\S]*<!-- end -->/, ["<!-- homes -->", ...lists(), "<!-- end -->"].join("\n"))

const lists = (): ReadonlyArray<string> => [
  "",
  "### Homes of rows",
  "",
  ...homesListed(),
  "",
  "### Transactions of several homes",
  "",
  ...crossings.map(({ name, reason }) => `- **${name}.** ${reason}`),
  "",
  "### Lookups across homes",
  "",
  ...lookupsAcrossHomes.map(({ reason, remedy, lookups }) => {
    const paths = lookups.map(([{ name }, ...of]) => `\`${columnName(name)}\` (${of.join(", ")})`)
    return `- **${reason}:** ${paths.join(", ")}. Then: ${remedy}.`
  }),
  ""
]

/** One line for each kind of home, with its tables. */
const homesListed = (): ReadonlyArray<string> => {
  const lines = new Map<string, Array<string>>()
  for (const [name, home] of rowHomes) {
    const line =
      home.kind === "organization"
        ? `Its column \`${columnName(home.column)}\``
        : home.kind === "parent"
          ? `That of its row of \`${columnName(home.parent.name)}\``
          : home.kind === "transaction"
            ? "That of the other rows of its transaction"
            : `Global. ${home.reason.replace(/\.$/, "")}`
    lines.set(line, [...(lines.get(line) ?? []), `\`${columnName(name)}\``])
  }
  return [...lines].map(([line, names]) => `- ${line}: ${names.join(", ")}.`)
}
