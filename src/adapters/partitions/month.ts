/** Months, as `YYYY-MM` in UTC: they sort as text. */
import type { Instant } from "../../vocabulary/instant.ts"

export type Month = string & { readonly Month: unique symbol }

export const isMonth = (text: string): text is Month => /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/.test(text)

/** Of an instant, or of a timestamp as Postgres prints it in UTC. */
export const monthOf = (instant: Instant | string): Month => instant.slice(0, 7) as Month

export const monthAfter = (month: Month, count: number): Month => {
  const [year, number] = month.split("-").map(Number) as [number, number]
  return monthOf(new Date(Date.UTC(year, number - 1 + count)).toISOString())
}

/** As a literal of a bound. */
export const startOf = (month: Month): string => `'${month}-01T00:00:00Z'`
