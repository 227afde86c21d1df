// @ts-check
/** The runs in the page. A line of a trace is read as JSON only once somebody looks at it. */

/** @typedef {import("../model.ts").TimelineModel} TimelineModel */
/** @typedef {import("../model.ts").TimelineEvent} TimelineEvent */
/** @typedef {{ readonly [member: string]: any }} Line */

/**
 * @typedef {object} Run
 * @property {TimelineModel} model
 * @property {(event: number) => Line} line
 * @property {(text: string) => (event: number) => boolean} search Where the line or the words of an event hold a text.
 * @property {(event: number) => ReadonlyArray<number>} together The events of its request, act or callback.
 * @property {boolean} isTold Whether the script says something at any of its steps.
 * @property {(event: number) => string} saidBy What the script said last, up to an event.
 * @property {(event: number) => number | undefined} later The next send of the same callback.
 */

/**
 * @param {number} number
 * @returns {Run}
 */
export const readRun = (number) => {
  /** @type {TimelineModel} */
  const model = JSON.parse(textOf(`model-${number}`))
  const lines = textOf(`lines-${number}`).split("\n")
  /** @type {ReadonlyArray<string> | undefined} */
  let lowered
  const exchanges = Map.groupBy(model.events.keys(), (event) => model.events[event]?.exchange)
  const later = new Map(model.events.map(({ earlier }, event) => [earlier, event]))
  return {
    model,
    line: (event) => JSON.parse(lines[event] ?? "{}"),
    search: (text) => {
      const wanted = text.toLowerCase()
      // As it stands in the page, where no `<` is left.
      const written = wanted.replaceAll("<", "\\u003c")
      lowered ??= lines.map((line) => line.toLowerCase())
      const searched = lowered
      const isIn = (/** @type {string | undefined} */ held) => held?.toLowerCase().includes(wanted) ?? false
      return (event) =>
        isIn(model.events[event]?.text) || isIn(model.events[event]?.say) || searched[event]?.includes(written) === true
    },
    together: (event) => {
      const exchange = model.events[event]?.exchange
      return exchange === undefined ? [event] : (exchanges.get(exchange) ?? [event])
    },
    isTold: model.events.some(({ say }) => say !== undefined),
    saidBy: (event) => model.events.findLast(({ say }, index) => index <= event && say !== undefined)?.say ?? "",
    later: (event) => later.get(event)
  }
}

const textOf = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? ""
