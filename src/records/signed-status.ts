/** Signs the current status of a project. */
import { Effect } from "effect"
import { Signer } from "../ports/signer.ts"
import type { StoredProject } from "../projects/history.ts"
import { requireWholeHistory } from "../projects/lost-head.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { copyDate, signOrRefuse } from "./signed-copy.ts"
import { statusPayload, type IssuedRecord } from "./status.ts"

export const signProjectStatus = (
  stored: StoredProject,
  record: IssuedRecord | undefined,
  nonce: string,
  now: Instant
) =>
  Effect.gen(function* () {
    yield* requireWholeHistory(stored.project)
    const { keys } = yield* Signer
    const payload = statusPayload(stored.project, record, nonce, keys.environment, copyDate(stored, now))
    return yield* signOrRefuse("STATUS", payload)
  })
