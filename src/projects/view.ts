/** The mapping of a project to the wire format (2.4). */
import { openConfirmations } from "./confirmation.ts"
import type { ProjectEvent } from "./event.ts"
import type { StoredProject } from "./history.ts"
import { humanUrlOf } from "./human-url.ts"
import { hintsFor, type HintContext, type Viewer } from "./hints.ts"
import { hasIssuanceRequest } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import type { RelatedFacts } from "./guard-context.ts"
import type { ProjectView } from "./output.ts"
import { viewAutomation } from "./pause.ts"
import type { AcceptanceDecision, Hold, Project, Review, RecordedSignature, Submission } from "./project.ts"
import type { IssuanceRow } from "./store.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface ReadModel {
  readonly stored: StoredProject
  readonly issuance: IssuanceRow | undefined
  readonly isCovered: boolean
  readonly relatedFacts: RelatedFacts
  readonly viewer: Viewer
  readonly now: Instant
  readonly siteUrl: string
}

const note = "Reads, hints and exports are neither acceptance nor payment."

export const viewProject = ({
  stored,
  issuance,
  isCovered,
  relatedFacts,
  viewer,
  now,
  siteUrl
}: ReadModel): typeof ProjectView.Type => {
  const { project, row } = stored
  const humanUrl = humanUrlOf(siteUrl, row.projectId)
  const pausedBy = row.pauses.map(({ side }) => side)
  const isIssuanceRequested = hasIssuanceRequest(issuance)
  const situation: HintContext = {
    project,
    pausedBy,
    isIssuanceRequested,
    isCovered,
    relatedFacts,
    now,
    humanUrl
  }
  return {
    project: {
      ...viewForEveryViewer(stored),
      confirmations: openConfirmations(project),
      nextAction: nextActionFor(situation, viewer.by.side),
      recordIssuance: {
        ready: project.state === "BUYER_CONFIRMED" && project.recordId === null,
        coverage: isCovered ? "AVAILABLE" : "MISSING",
        status: issuance?.status ?? "NOT_REQUESTED",
        continuation: issuance?.continuation ?? null,
        recordId: project.recordId,
        fundingUrl: `${siteUrl}/workspace/funding`
      }
    },
    automation: viewAutomation(row.automationRevision, row.pauses),
    humanUrl,
    ...hintsFor(situation, viewer),
    note
  }
}

/** The part of a project's view that depends on neither the viewer nor the time. */
export const viewForEveryViewer = ({ row, project }: StoredProject) => {
  const { terms, version } = project.agreement
  return {
    taskId: row.projectId,
    state: project.state,
    title: terms.title,
    scope: terms.scope,
    agreement: { ...terms, digest: project.agreementDigest, version },
    parties: partiesOf(project),
    criteria: terms.criteria,
    headEventHash: project.head,
    submission: orNull(project.submission, viewSubmission),
    review: orNull(project.review, viewReview),
    confirmation: orNull(project.confirmation, viewConfirmation),
    events: project.events.map(viewEvent),
    signatures: project.signatures.map(viewSignature),
    hold: orNull(project.hold, viewHold),
    concern: project.concern,
    successor: project.successor
  }
}

const partiesOf = ({ agreement, supplier }: Project) => ({
  buyer: { ...agreement.buyer, name: agreement.terms.buyerName },
  supplier: { ...supplier, name: agreement.terms.supplierName }
})

const orNull = <A, B>(value: A | null, view: (value: A) => B): B | null => (value === null ? null : view(value))

const viewSubmission = ({ submissionId, ...rest }: Submission) => ({ id: submissionId, ...rest })

const viewReview = ({ reviewId, ...rest }: Review) => ({ id: reviewId, ...rest })

const viewConfirmation = ({ confirmationId, ...rest }: AcceptanceDecision) => ({ id: confirmationId, ...rest })

const viewHold = ({ purpose, requestedBy, reason }: Hold) => ({ purpose, requestedBy, reason })

const viewSignature = ({ subject, party, signature, occurredAt }: RecordedSignature) => ({
  subject,
  party,
  occurredAt,
  ...signature
})

/** Made once for each event: the caches keep events, and with them their views. */
const viewEvent = (event: ProjectEvent) => {
  const known = eventViews.get(event)
  if (known !== undefined) return known
  const { sequence, hash, previous, kind, requestId, actor, payload, occurredAt } = event
  const view = { sequence, hash, previous, kind, requestId, actor, occurredAt, payload: { ...payload } }
  eventViews.set(event, view)
  return view
}

interface EventView extends Omit<ProjectEvent, "schema" | "projectId" | "issuedAt" | "payload"> {
  readonly payload: { readonly [member: string]: unknown }
}

const eventViews = new WeakMap<ProjectEvent, EventView>()
