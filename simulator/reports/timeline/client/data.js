// @ts-check
/** The runs in the page. A trace line is parsed only when it is shown. */

/** @typedef {import("../../../view-model/timeline-model.ts").TimelineModel} TimelineModel */
/** @typedef {import("../../../view-model/timeline-model.ts").TimelineEvent} TimelineEvent */
/** @typedef {{ readonly [member: string]: any }} Line */

/**
 * @typedef {object} Run
 * @property {TimelineModel} model
 * @property {(event: number) => Line} line
 * @property {(text: string) => (event: number) => boolean} search True for events whose line or text contains a string.
 * @property {(event: number) => ReadonlyArray<number>} together The events of the same request, act or webhook.
 * @property {boolean} isTold True if a step of the script has `say`.
 * @property {(event: number) => string} saidBy The latest `say` up to an event.
 * @property {(event: number) => number | undefined} later The next send of the same webhook.
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
      // The embedded JSON escapes `<`.
      const escaped = wanted.replaceAll("<", "\\u003c")
      lowered ??= lines.map((line) => line.toLowerCase())
      const searched = lowered
      const isIn = (/** @type {string | undefined} */ value) => value?.toLowerCase().includes(wanted) ?? false
      return (event) =>
        isIn(model.events[event]?.text) || isIn(model.events[event]?.say) || searched[event]?.includes(escaped) === true
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
