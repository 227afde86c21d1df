// @ts-check
/** The text of an instant, with milliseconds only if they are not zero. */

/** @param {string} at */
export const instantText = (at) => `${at.slice(0, 10)} ${timeOfDayText(at)}`

/** @param {string} at */
export const timeOfDayText = (at) =>
  at
    .slice(11)
    .replace("Z", "")
    .replace(/\.000$/, "")
