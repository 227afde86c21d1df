/**
 * Instants as the wire and the records write them: UTC, exactly three fraction digits, `Z`.
 *
 * They stay text everywhere. With four-digit years, text order is time order, and a text that is hashed or signed must
 * never be converted.
 */
import { Clock, Effect, Schema } from "effect"

export type Instant = string & { readonly Instant: unique symbol }

const form =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** True for an instant that prints back identically: no 30 February, no `24:00`, years 1970 to 9999. */
export const isInstant = (value: string): value is Instant => {
  if (!form.test(value)) return false
  const milliseconds = Date.parse(value)
  return Number.isFinite(milliseconds) && new Date(milliseconds).toISOString() === value
}

/** What is expected where another text is given. */
export const instantForm = "an instant in UTC with exactly three fraction digits, such as 2026-11-21T09:30:00.000Z"

/** On the wire: `2026-11-21T09:30:00.000Z`, nothing else. */
export const Instant = Schema.String.pipe(
  Schema.refine(isInstant, {
    expected: instantForm,
    toJsonSchema: () => ({ pattern: form.source })
  })
)

export const fromMilliseconds = (milliseconds: number): Instant => new Date(milliseconds).toISOString() as Instant

export const toMilliseconds = (instant: Instant): number => Date.parse(instant)

export const addMilliseconds = (instant: Instant, milliseconds: number): Instant =>
  fromMilliseconds(toMilliseconds(instant) + milliseconds)

/** Later than every other instant: the due time of rows that are never due again. */
export const never = "9999-12-31T23:59:59.999Z" as Instant

export const later = (a: Instant, b: Instant): Instant => (a < b ? b : a)

export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)

/** The only source of the current time. */
export const now: Effect.Effect<Instant> = Effect.map(Clock.currentTimeMillis, fromMilliseconds)
