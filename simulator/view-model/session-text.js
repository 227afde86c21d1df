// @ts-check
/** The line below the title of a session. */
import { instantText } from "./instant-text.js"

/** @param {import("./session-summary.ts").SessionSummary} session */
export const sessionText = ({ file, seed, now }) =>
  [
    file,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(typeof now === "string" ? [`now ${instantText(now)}`] : [])
  ].join(", ")
