/** Every mutant, in report order. */
import type { Mutant } from "./mutant.ts"
import { authorityMutants } from "./authority.ts"
import { closureMutants } from "./closures.ts"
import { commerceMutants } from "./commerce.ts"
import { webhookMutants } from "./webhooks.ts"
import { limitMutants } from "./limits.ts"
import { faultHandlingMutants } from "./fault-handling.ts"
import { homeMutants } from "./homes.ts"
import { projectMutants } from "./projects.ts"
import { proposalMutants } from "./proposals.ts"
import { publicationMutants } from "./publications.ts"
import { webhookSendingMutants } from "./webhook-sending.ts"
import { recordMutants } from "./records.ts"
import { idempotencyMutants } from "./idempotency.ts"
import { vacuousSearchMutants } from "./vacuous-search-mutants.ts"
import { sessionMutants } from "./sessions.ts"
import { storageMutants } from "./storage.ts"
import { webhookWorkerMutants } from "./webhook-workers.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...projectMutants,
  ...authorityMutants,
  ...idempotencyMutants,
  ...storageMutants,
  ...webhookMutants,
  ...webhookWorkerMutants,
  ...webhookSendingMutants,
  ...recordMutants,
  ...publicationMutants,
  ...commerceMutants,
  ...closureMutants,
  ...proposalMutants,
  ...limitMutants,
  ...vacuousSearchMutants,
  ...faultHandlingMutants,
  ...sessionMutants,
  ...homeMutants
]
