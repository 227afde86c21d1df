/** The path of a supplier's public results. */

export const providerRoute = "/workspace/providers/:subjectId" as const

export const providerPath = (subjectId: string, after?: string): `/workspace/${string}` =>
  `/workspace/providers/${subjectId}${after === undefined ? "" : `?after=${encodeURIComponent(after)}`}`
