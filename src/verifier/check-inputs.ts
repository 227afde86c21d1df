/** The inputs of checks. */
import type { EnclosedPart, ChainedEvent, VerifiedJws } from "./verified-objects.ts"
import type { Acceptance, Agreement, HistoryGap, ProjectEvent, ResultRecord, Submission } from "./schemas.ts"
import type { Trust } from "./trust.ts"

/** The events of the history, in order. */
export type History = ReadonlyArray<ChainedEvent<ProjectEvent>>

/** The statements of lost events, in the order of the events that they follow. */
export type Gaps = ReadonlyArray<VerifiedJws<HistoryGap>>

/** The parts of a package, each proven by an earlier check. */
export interface ProvenParts {
  readonly trust: Trust
  readonly agreement: EnclosedPart<Agreement>
  readonly history: History
  readonly gaps: Gaps
  readonly submission: EnclosedPart<Submission>
  readonly review: EnclosedPart<Acceptance>
  readonly record: VerifiedJws<ResultRecord>
  /** The ids of the agreement's criteria. */
  readonly criteria: ReadonlyArray<string>
  /** The event whose payload is the review. */
  readonly accepting: ChainedEvent<ProjectEvent>
  /** The person who represented the supplier when the record was issued. */
  readonly representative: string
}

/** The inputs of one check. */
export type CheckInputs<P extends keyof ProvenParts> = Pick<ProvenParts, P>
