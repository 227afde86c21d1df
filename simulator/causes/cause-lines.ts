/** The cause of a failing run as text. */
import { type Cause, type Change, type Continuations, isLost } from "./cause.ts"

export const causeLines = (file: string, cause: Cause): ReadonlyArray<string> => {
  const { property, words, before, moments, events, changes } = cause
  return [
    `${file}: ${property}`,
    `  observed: ${words}`,
    `  at the start: ${shareText(before)}`,
    ...moments.map(({ what, after }) => `  after ${what}: ${shareText(after)}`),
    `  ${lastChance(cause)}`,
    ...events.slice(-eventsShown).map((event) => `    ${event}`),
    ...changeLines(changes)
  ]
}

const changeLines = (changes: ReadonlyArray<Change>): ReadonlyArray<string> => {
  const passing = changes.filter(({ stillFails }) => !stillFails)
  const others = changes.length - passing.length
  return [
    ...(passing.length === 0 ? [] : ["  It passes with one change alone:"]),
    ...passing.map(({ what }) => `    ${what}`),
    ...(others === 0 ? [] : [`  It still fails with each of ${others} other single changes.`])
  ]
}

const eventsShown = 8

/** The last moment at which the run could still have passed. */
const lastChance = ({ before, moments }: Cause): string => {
  const last = moments.at(-1)
  if (isLost(before)) return "It fails in every continuation of the start. The last events until it failed:"
  if (last === undefined || !isLost(last.after)) return "It could have passed until its end. The last events:"
  return `It could still have passed until ${last.what}. What followed until it failed:`
}

const shareText = ({ runs, failed, areAll }: Continuations): string => {
  const share = failed === runs ? "all" : failed * 2 > runs ? "most" : failed > 0 ? "some" : "none"
  return `fails in ${share}, ${failed} of ${runs} ${areAll ? "" : "sampled "}continuations`
}
