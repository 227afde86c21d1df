/** A command that nothing stands in the way of, inside its transaction. */
import type { Transaction } from "../ports/storage.ts"
import type { Request } from "../replay/replay.ts"
import type { IdStream } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { StoredProposal } from "./history.ts"
import type { Acting } from "./obstacles.ts"
import type { Planned } from "./plan.ts"
import type { Standing } from "./principal.ts"

/** Everything that an effect needs. */
export interface Doing {
  readonly transaction: Transaction
  readonly stored: StoredProposal
  readonly standing: Standing
  readonly by: Acting
  readonly request: Request
  readonly planned: Planned
  /** The side that the person took before. */
  readonly taken: Acting["side"] | undefined
  readonly at: Instant
  readonly ids: IdStream
}
