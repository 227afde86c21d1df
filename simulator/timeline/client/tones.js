// @ts-check
/** How the marks of events are called; what has none of these is an event like any other. */

/** @type {{ readonly [tone: string]: string }} */
const toneWords = { refused: "refused", fault: "fault", failed: "not as expected" }

/** @param {{ readonly tone?: string | undefined } | undefined} told */
export const toneOf = (told) => toneWords[told?.tone ?? ""] ?? ""
