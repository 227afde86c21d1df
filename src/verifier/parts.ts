/** The parts that checks ask for, each proven by a check before it. */
import type { History } from "./history.ts"
import type { Enclosed, Linked, Opened } from "./objects.ts"
import type { Acceptance, Agreement, ProjectEvent, ResultRecord, Submission } from "./shapes.ts"
import type { Trust } from "./trust.ts"

export interface Parts {
  readonly trust: Trust
  readonly agreement: Enclosed<Agreement>
  readonly history: History
  readonly submission: Enclosed<Submission>
  readonly review: Enclosed<Acceptance>
  readonly record: Opened<ResultRecord>
  /** The ids of the agreement's criteria. */
  readonly criteria: ReadonlyArray<string>
  /** The event that the review is the payload of. */
  readonly accepting: Linked<ProjectEvent>
  /** The person who represented the supplier when the record was issued. */
  readonly representative: string
}

/** What one check needs of them. */
export type Given<P extends keyof Parts> = Pick<Parts, P>
