// @ts-check
/** The words of an event's tone. */

/** @type {{ readonly [tone: string]: string }} */
const toneWords = { refused: "refused", fault: "fault", failed: "not as expected" }

/**
 * Empty for an event without emphasis.
 * @param {{ readonly tone?: string | undefined } | undefined} event
 */
export const toneText = (event) => toneWords[event?.tone ?? ""] ?? ""
