/** The wish to have a record issued: kept with the project, carried out by `records/` in a transaction of its own. */
import { Context, type Effect } from "effect"
import type { Claim, Reader, Storage, Transaction } from "../ports/storage.ts"
import { never, type Instant } from "../vocabulary/instant.ts"
import type { Happening } from "./event.ts"
import type { Stored } from "./history.ts"
import { ordinary, personObstacle } from "./obstacles.ts"
import type { Entered } from "./principal.ts"
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

/** True where accepting was granted together with issuing, and nothing keeps issuing for people. */
export const issuesToo = ({ by, mayAct }: Entered, project: Project, event: Happening, now: Instant): boolean =>
  event.kind === "REVIEW" &&
  event.payload.action === "ACCEPT" &&
  !by.isPerson &&
  mayAct("ISSUE_RESULT_RECORD") &&
  personObstacle(project, "ISSUE", { by, now, isIssuanceAsked: false, circumstances: ordinary }) === undefined

/** Under whose authority a record is issued: an agent's grant, or a person's membership alone. */
export type WishOwner =
  | { readonly personId: null; readonly membershipId: string; readonly grantId: string; readonly generation: number }
  | { readonly personId: string; readonly membershipId: string; readonly grantId: null; readonly generation: null }

interface Wish {
  readonly owner: WishOwner
  readonly requestId: string
  readonly stored: Stored
  readonly earlier: IssuanceRow | undefined
}

/** Stores the wish with everything it was planned on. */
export const requestIssuance = (
  transaction: Transaction,
  { owner, requestId, stored, earlier }: Wish,
  now: Instant
) => {
  const { row, project } = stored
  const wish: Omit<IssuanceRow, "projectId"> = {
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
