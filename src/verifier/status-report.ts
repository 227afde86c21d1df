/** The current status in the report. */
import type { StatusHalf, VerifiedCurrentStatus } from "./current-status.ts"
import type { CheckResult, Ledger } from "./ledger.ts"
import type { AgentStatus } from "./schemas.ts"

/**
 * `UNKNOWN`: absent or expired; `FAILED`: refuted. Only `PROVEN` has a state; for a passport it means that the status of
 * every entry is proven, and `passport` in the report has the status of each; for a payment, that every component is fresh,
 * and `commerce.status` has the age of each; for a closure both, and `closure.currentStatus` has the outcome of each half.
 */
export interface CurrentStatus {
  readonly outcome: "PROVEN" | "UNKNOWN" | "FAILED" | "NOT_CHECKED"
  readonly source: "artifact" | "file" | null
  readonly state: string | null
  readonly reliance: AgentStatus["reliance"] | null
}

export interface Freshness {
  readonly outcome: "fresh" | "stale" | "absent" | "not-checked"
  /** Of the oldest statement, which of a closure is that on its result; of a payment, since the component that was read longest ago. */
  readonly ageMs: number | null
  readonly boundMs: number
}

interface Verification {
  readonly status: Ledger
  readonly current: VerifiedCurrentStatus
  readonly checkedAt: CheckResult<string>
}

export const describeStatus = ({ status, current }: Verification, isVerified: boolean): CurrentStatus => {
  const source = current.source ?? null
  const unknown = { source, state: null, reliance: null }
  if (!isVerified) return { outcome: "NOT_CHECKED", ...unknown }
  if (current.isProven) {
    if (!current.opened.known) return { outcome: "PROVEN", ...unknown }
    const { state, reliance } = current.opened.value.content
    return { outcome: "PROVEN", source, state, reliance }
  }
  return { outcome: outcomeOf({ isProven: false, checks: status.checks }), ...unknown }
}

/** Of a status whose artifact is verified. */
export const outcomeOf = ({ isProven, checks }: StatusHalf): "PROVEN" | "UNKNOWN" | "FAILED" => {
  if (isProven) return "PROVEN"
  const failures = checks.filter((check) => check.outcome === "fail")
  return failures.every((check) => check.code === "STATUS_STALE") ? "UNKNOWN" : "FAILED"
}

export const uncheckedFreshness = ({ current: { boundMs } }: Pick<Verification, "current">): Freshness => ({
  outcome: "not-checked",
  ageMs: null,
  boundMs
})

export const describeFreshness = ({ current, checkedAt, status }: Verification): Freshness => {
  const { source, isProven, boundMs } = current
  if (source === undefined || areAllAbsent(status)) return { ...uncheckedFreshness({ current }), outcome: "absent" }
  const oldest = oldestOf(current)
  const ageMs = oldest === undefined || !checkedAt.known ? null : Date.parse(checkedAt.value) - Date.parse(oldest)
  const isStale = status.checks.some((check) => check.code === "STATUS_STALE")
  return { outcome: isStale ? "stale" : isProven ? "fresh" : "not-checked", ageMs, boundMs }
}

const areAllAbsent = ({ checks }: Ledger): boolean => checks.every((check) => check.code === "STATUS_ABSENT")

/** The time of the statement; of a payment, the earliest of the last reads of its components. */
const oldestOf = ({ opened, publications, commerce }: VerifiedCurrentStatus): string | undefined => {
  if (opened.known) return opened.value.content.issuedAt
  if (commerce.known) {
    return commerce.value.content.components.flatMap(({ lastObservedAt }) => lastObservedAt ?? []).toSorted()[0]
  }
  return publications.flatMap((statement) => statement?.content.issuedAt ?? []).toSorted()[0]
}
