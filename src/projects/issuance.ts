/** Issuance requests: stored with the project, processed by `records/` in a separate transaction. */
import { Context, type Effect } from "effect"
import type { Claim, Reader, Storage, Transaction } from "../ports/storage.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import type { EventContent } from "./event.ts"
import type { StoredProject } from "./history.ts"
import { personGuard } from "./guards.ts"
import { noRelatedFacts } from "./guard-context.ts"
import type { ActorOnProject } from "./caller.ts"
import type { Project } from "./project.ts"
import { Issuances, type IssuanceRow } from "./store.ts"

export type { IssuanceRow } from "./store.ts"

/** The issuance of records; `records/` supplies it. */
export class RecordIssuance extends Context.Service<
  RecordIssuance,
  {
    /** True if the organization has a result credit. */
    isCovered(reader: Reader, organizationId: string): Effect.Effect<boolean>
    /** Processes the project's issuance request if it is pending. */
    issue(projectId: string): Effect.Effect<void>
  }
>()("countersign/projects/RecordIssuance") {}

export const readIssuance = (reader: Reader, projectId: string) => reader.get(Issuances, [projectId])

export const claimIssuances = (storage: Storage["Service"], claim: Claim) => storage.claim(Issuances, claim)

/** True for a pending or issued request; a stopped one can be replaced. */
export const hasIssuanceRequest = (issuance: IssuanceRow | undefined): boolean =>
  issuance !== undefined && issuance.status !== "STOPPED"

/** True for an agent's acceptance whose grant includes issuance, unless issuance is reserved for people. */
export const autoIssues = (
  { by, mayAct }: ActorOnProject,
  project: Project,
  event: EventContent,
  now: Instant
): boolean =>
  event.kind === "REVIEW" &&
  event.payload.action === "ACCEPT" &&
  !by.isPerson &&
  mayAct("ISSUE_RESULT_RECORD") &&
  personGuard(project, "ISSUE", { by, now, isIssuanceRequested: false, relatedFacts: noRelatedFacts }) === undefined

/** The authority for issuing a record: an agent's grant, or a person's membership. */
export type IssuanceRequesterIds =
  | { readonly personId: null; readonly membershipId: string; readonly grantId: string; readonly generation: number }
  | { readonly personId: string; readonly membershipId: string; readonly grantId: null; readonly generation: null }

interface IssuanceRequest {
  readonly owner: IssuanceRequesterIds
  readonly requestId: string
  readonly stored: StoredProject
  readonly earlier: IssuanceRow | undefined
}

/** Stores the issuance request with its preconditions. */
export const requestIssuance = (
  transaction: Transaction,
  { owner, requestId, stored, earlier }: IssuanceRequest,
  now: Instant
) => {
  const { row, project } = stored
  const changes: Omit<IssuanceRow, "projectId"> = {
    confirmationId: project.confirmation!.confirmationId,
    status: "PENDING",
    continuation: null,
    requestId,
    ...owner,
    headEventHash: project.head,
    automationRevision: row.automationRevision,
    recordId: null,
    dueAt: now,
    leasedUntil: now,
    leaseToken: ""
  }
  return earlier === undefined
    ? transaction.insert(Issuances, { projectId: row.projectId, ...changes })
    : transaction.update(Issuances, [row.projectId], changes)
}

/** Writes the outcome of an issuance request; a closed one is never due again. */
export const settleIssuance = (
  transaction: Transaction,
  projectId: string,
  outcome: Pick<IssuanceRow, "status" | "continuation" | "recordId"> &
    Partial<Pick<IssuanceRow, "dueAt" | "leasedUntil">>
) => transaction.update(Issuances, [projectId], { dueAt: never, ...outcome })
