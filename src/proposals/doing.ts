/** The context of a command that has passed its guards, inside its transaction. */
import type { Transaction } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import type { IdStream } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { StoredProposal } from "./history.ts"
import type { Acting } from "./obstacles.ts"
import type { Planned } from "./plan.ts"
import type { Standing } from "./principal.ts"

export interface Doing {
  readonly transaction: Transaction
  readonly stored: StoredProposal
  readonly authority: Standing
  readonly by: Acting
  readonly request: Request
  readonly plan: Planned
  /** The person's recorded side, before this command. */
  readonly recordedSide: Acting["side"] | undefined
  readonly at: Instant
  readonly ids: IdStream
}
