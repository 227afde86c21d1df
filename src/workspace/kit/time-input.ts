/** Dates and times as entered: UTC, to the minute, or to the millisecond where an agreement has it. */
import { isInstant, type Instant } from "../../vocabulary/instant.ts"

/** Undefined for an invalid date and time. */
export const instantFrom = (text: string): Instant | undefined => {
  const [, day, minute, second = "00", fraction = "000"] = form.exec(text) ?? []
  const instant = `${day}T${minute}:${second}.${fraction}Z`
  return isInstant(instant) ? instant : undefined
}

const form = /^(\d{4}-\d{2}-\d{2})(?:T| +)(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{3}))?)?(?:Z| ?UTC)?$/

/** The shortest value of a `datetime-local` input that parses to this instant. */
export const textFromInstant = (instant: Instant): string =>
  instant
    .slice(0, 23)
    .replace(/\.000$/, "")
    .replace(/(?<=\d{2}:\d{2}):00$/, "")
