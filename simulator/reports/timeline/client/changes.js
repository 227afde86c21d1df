// @ts-check
/** Row changes of commits, by column, and differences of expectations. */
import { changedColumns, changeOf } from "../../../view-model/row-changes.js"
import { element, inPieces, listInPieces } from "./elements.js"

/** @typedef {import("./data.js").Line} Line */
/** @typedef {import("../../../view-model/row-changes.js").RowVersions & { readonly table: string, readonly key: ReadonlyArray<unknown> }} Change */
/** @typedef {{ readonly path: string, readonly expected: unknown, readonly actual?: unknown }} Difference */

const changesMax = 20
const valueCharactersMax = 600

/** @param {ReadonlyArray<Line>} commits */
export const changesSection = (commits) => {
  if (commits.length === 0) return []
  const changes = commits.flatMap((commit) => (Array.isArray(commit["changes"]) ? commit["changes"] : []))
  const writes = commits.flatMap((commit) => (Array.isArray(commit["writes"]) ? commit["writes"] : []))
  return [
    element(
      "section",
      {},
      element("h3", {}, "State difference"),
      changes.length > 0
        ? listInPieces(changes, changeElement, changesMax)
        : element("ul", {}, listInPieces(writes, writeElement, changesMax))
    )
  ]
}

/** @param {Line} line */
export const differencesSection = ({ kind, differences }) => {
  if (kind !== "expectation" || !Array.isArray(differences) || differences.length === 0) return []
  const rows = differences.map((/** @type {Difference} */ { path, expected, actual }) => [path, expected, actual])
  return [
    element("section", {}, element("h3", {}, "Not as expected"), valuesTable(["Path", "Expected", "Answered"], rows))
  ]
}

/** @param {Line} write */
const writeElement = ({ change, table, key }) => element("li", {}, `${change} ${table} `, keyElement(key))

/** @param {unknown} key */
const keyElement = (key) => element("code", {}, Array.isArray(key) ? key.join(", ") : String(key))

/** @param {Change} change */
const changeElement = (change) =>
  element(
    "div",
    { class: "change" },
    element("h4", {}, `${changeOf(change)} ${change.table} `, keyElement(change.key)),
    valuesTable(["Column", "Before", "After"], changedColumns(change))
  )

/**
 * @param {ReadonlyArray<string>} heads
 * @param {ReadonlyArray<ReadonlyArray<unknown>>} rows
 */
const valuesTable = (heads, rows) =>
  element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element(
      "tbody",
      {},
      ...rows.map(([name, ...values]) =>
        element("tr", {}, element("th", { scope: "row" }, String(name)), ...values.map(valueCell))
      )
    )
  )

/** @param {unknown} value */
const valueCell = (value) =>
  value === undefined
    ? element("td", { class: "none" }, "–")
    : element(
        "td",
        {},
        inPieces(typeof value === "string" ? value : JSON.stringify(value, undefined, 1), valueCharactersMax)
      )
