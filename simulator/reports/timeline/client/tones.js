// @ts-check
/** The labels of event marks. */

/** @type {{ readonly [tone: string]: string }} */
const toneWords = { refused: "refused", fault: "fault", failed: "not as expected" }

/** @param {{ readonly tone?: string | undefined } | undefined} event */
export const toneOf = (event) => toneWords[event?.tone ?? ""] ?? ""
