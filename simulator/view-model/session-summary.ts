/** What every view shows of a session besides its events. */

export interface SessionSummary {
  readonly title: string
  readonly say?: string | undefined
  /** The name of the script, or the id of the served world. */
  readonly file: string
  /** Absent if the script could not be read. */
  readonly seed?: number | undefined
  /** The virtual time; null beyond the range of dates, absent for a finished run. */
  readonly now?: string | null | undefined
  /** The verdict so far. */
  readonly verdict: string
}

/** A session that can take further steps. */
interface OpenSession {
  readonly opening: { readonly title: string; readonly say: string | undefined; readonly seed: number }
  readonly scheduler: { readonly now: number }
}

/** `failure` is the failure of the last step, after which the session takes no other. */
export const summarizeSession = (
  { opening: { title, say, seed }, scheduler }: OpenSession,
  file: string,
  failure?: { readonly verdict: string }
): SessionSummary & { readonly seed: number; readonly now: string | null } => ({
  title,
  say,
  file,
  seed,
  now: momentOf(scheduler.now),
  verdict: failure?.verdict ?? "UNDER WAY"
})

/** Null beyond the range of dates. */
export const momentOf = (milliseconds: number | undefined): string | null => {
  const date = new Date(milliseconds ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
