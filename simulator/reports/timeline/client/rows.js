// @ts-check
/** The rows of the list: the filtered events, and the gaps of virtual time between them. */

/**
 * An event with its position among those listed, or the gap of virtual time before it.
 * @typedef {{ readonly event: number, readonly gap?: number, readonly place?: number }} Row
 */

/**
 * @param {ReadonlyArray<{ readonly at: string }>} events
 * @param {(event: number) => boolean} isWanted
 * @returns {ReadonlyArray<Row>}
 */
export const rowsOf = (events, isWanted) => {
  /** @type {Array<Row>} */
  const rows = []
  let before = Number.NaN
  let place = 0
  events.forEach(({ at }, event) => {
    if (!isWanted(event)) return
    const moment = Date.parse(at)
    if (moment > before) rows.push({ event, gap: moment - before })
    if (!Number.isNaN(moment)) before = moment
    rows.push({ event, place: ++place })
  })
  return rows
}

/**
 * The first row at or after an event.
 * @param {ReadonlyArray<Row>} rows
 * @param {number} event
 */
export const firstRowFrom = (rows, event) => {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.event ?? 0) < event) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The nearest row in this direction with a matching event.
 * @param {ReadonlyArray<Row>} rows
 * @param {number} from
 * @param {1 | -1} direction
 * @param {(event: number) => boolean} isWanted
 * @returns {number | undefined}
 */
export const nextRow = (rows, from, direction, isWanted = () => true) => {
  for (let index = from + direction; index >= 0 && index < rows.length; index += direction) {
    const row = rows[index]
    if (row !== undefined && row.gap === undefined && isWanted(row.event)) return index
  }
  return undefined
}

/**
 * A duration of virtual time: `14d 3h`.
 * @param {number} milliseconds
 */
export const spanWords = (milliseconds) => {
  const parts = []
  let rest = milliseconds
  for (const [unit, size] of spanUnits) {
    const whole = Math.floor(rest / size)
    if (whole > 0) parts.push(`${whole}${unit}`)
    rest -= whole * size
  }
  return parts.length === 0 ? "no time" : parts.join(" ")
}

/** @type {ReadonlyArray<readonly [string, number]>} */
const spanUnits = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1]
]
