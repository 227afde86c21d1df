/** The Layer that provides record issuance to projects. */
import { Effect, Layer } from "effect"
import type { CommittedEvents } from "../projects/committed-events.ts"
import { RecordIssuance } from "../projects/issuance.ts"
import type { Caches } from "../ports/caches.ts"
import { Signer } from "../ports/signer.ts"
import { Storage } from "../ports/storage.ts"
import { SecureRandom } from "effect/crypto"
import { readCreditAccount } from "./credits.ts"
import { issueRecordOrLog } from "./issuance.ts"

export const recordIssuance = Layer.effect(
  RecordIssuance,
  Effect.gen(function* () {
    const context = yield* Effect.context<Storage | Caches | Signer | CommittedEvents | SecureRandom.SecureRandom>()
    return {
      isCovered: (reader, organizationId) =>
        Effect.map(readCreditAccount(reader, organizationId), (account) => (account?.balance ?? 0) > 0),
      issue: (projectId) => Effect.provide(issueRecordOrLog(projectId), context)
    }
  })
)
