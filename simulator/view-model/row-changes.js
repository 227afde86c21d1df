// @ts-check
/** The changes of rows by a commit. */

/** @typedef {{ readonly [column: string]: any }} Row */
/** @typedef {{ readonly before: Row | null, readonly after: Row | null }} RowVersions Null if the row does not exist. */

/** @param {RowVersions} versions */
export const changeOf = ({ before, after }) => (before === null ? "insert" : after === null ? "remove" : "update")

/**
 * The columns that differ, with both values; undefined where the row does not exist or has no such column.
 * @param {RowVersions} versions
 * @returns {ReadonlyArray<readonly [column: string, before: any, after: any]>}
 */
export const changedColumns = ({ before, after }) =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].flatMap((column) => {
    const [old, current] = [before?.[column], after?.[column]]
    return JSON.stringify(old) === JSON.stringify(current) ? [] : [/** @type {const} */ ([column, old, current])]
  })
