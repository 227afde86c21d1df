/** The wish to have a record issued: kept with the project, carried out by `records/` in a transaction of its own. */
import { Context, type Effect } from "effect"
import { mayAct, type Authority, type Credential } from "../access/authorize.ts"
import type { Claim, Reader, Storage, Transaction } from "../ports/storage.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import type { Happening } from "./event.ts"
import type { Stored } from "./history.ts"
import type { Project } from "./project.ts"
import { Issuances, type IssuanceRow } from "./store.ts"

export type { IssuanceRow } from "./store.ts"

/** What projects ask of records; `records/` supplies it. */
export class RecordIssuance extends Context.Service<
  RecordIssuance,
  {
    /** True where the organization has a result credit left. */
    isCovered(reader: Reader, organizationId: string): Effect.Effect<boolean>
    /** Carries out the project's pending wish, if it still stands. */
    issue(projectId: string): Effect.Effect<void>
  }
>()("countersign/projects/RecordIssuance") {}

export const readIssuance = (reader: Reader, projectId: string) => reader.get(Issuances, [projectId])

export const claimIssuances = (storage: Storage["Service"], claim: Claim) => storage.claim(Issuances, claim)

/** True while a wish stands or was granted; only after it was stopped can there be another. */
export const isAsked = (issuance: IssuanceRow | undefined): boolean =>
  issuance !== undefined && issuance.status !== "STOPPED"

/** True where accepting was granted together with issuing, and the agreement does not keep issuing for people. */
export const issuesToo = (authority: Authority, project: Project, event: Happening, now: Instant): boolean =>
  event.kind === "REVIEW" &&
  event.payload.action === "ACCEPT" &&
  mayAct(authority, "ISSUE_RESULT_RECORD", now) &&
  !project.agreement.terms.subjectRequirements.some((one) => one.humanDecisions.includes("ISSUE"))

interface Wish {
  readonly by: Credential
  readonly requestId: string
  readonly stored: Stored
  readonly earlier: IssuanceRow | undefined
}

/** Stores the wish with everything it was planned on. */
export const requestIssuance = (transaction: Transaction, { by, requestId, stored, earlier }: Wish, now: Instant) => {
  const { row, project } = stored
  const wish: Omit<IssuanceRow, "projectId"> = {
    confirmationId: project.confirmation!.confirmationId,
    status: "PENDING",
    continuation: null,
    requestId,
    grantId: by.grantId,
    membershipId: by.membershipId,
    generation: by.generation,
    headEventHash: project.head,
    automationRevision: row.automationRevision,
    recordId: null,
    dueAt: now,
    leasedUntil: now,
    leaseToken: ""
  }
  return earlier === undefined
    ? transaction.insert(Issuances, { projectId: row.projectId, ...wish })
    : transaction.update(Issuances, [row.projectId], wish)
}

/** Writes what became of a wish; a closed one is never due again. */
export const settleIssuance = (
  transaction: Transaction,
  projectId: string,
  outcome: Pick<IssuanceRow, "status" | "continuation" | "recordId"> &
    Partial<Pick<IssuanceRow, "dueAt" | "leasedUntil">>
) => transaction.update(Issuances, [projectId], { dueAt: never, ...outcome })
