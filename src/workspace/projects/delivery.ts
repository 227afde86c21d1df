/** The sections of a project's page: the delivery, the decision, signatures, hold, concern and record. */
import { h } from "preact"
import type { SubmittedFile } from "../../projects/event.ts"
import type { Project, RecordedSignature } from "../../projects/project.ts"
import { packagePathOf } from "../../records/package-wire.ts"
import { passesRecordGate } from "../../records/record-gate.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { code, facts, foldable, folded, linkTo, list, notice, paragraph, section, table, time } from "../kit/parts.ts"
import { roleLabels } from "../kit/labels.ts"
import { offlineVerification } from "../kit/verifier-link.ts"
import { personOf } from "./identity.ts"
import { maySeeCredits, type ProjectPageModel } from "./read-model.ts"
import { concernLabels, criterionDecisionLabels, purposeLabels, reviewLabels } from "./labels.ts"

/** Warnings about a hold or a concern. */
export const warnings = ({ project }: ProjectPageModel): Content => [
  project.hold === null
    ? null
    : notice(
        "warning",
        `The ${roleLabels[project.hold.requestedBy].toLowerCase()} requested another date for the ${purposeLabels[project.hold.purpose]}. Delivery and review are on hold until people revise the terms or lift the request; the agreed dates remain in force.`,
        untrustedLines(project.hold.reason)
      ),
  project.concern === null
    ? null
    : notice(
        "warning",
        `The ${roleLabels[project.concern.raisedBy].toLowerCase()} raised a concern about the acceptance: ${concernLabels[project.concern.kind].toLowerCase()}. Do not rely on the acceptance until the concern is resolved.`,
        untrustedLines(project.concern.reason)
      )
]

/** The newest delivery, criterion by criterion; `isWhole` where the person is to read all of it now. */
export const submissionSection = (
  { project }: ProjectPageModel,
  { isWhole = false }: { readonly isWhole?: boolean } = {}
): Content => {
  const { submission } = project
  if (submission === null) return null
  return section(
    "What was delivered",
    facts([
      ["Delivered", time(submission.occurredAt)],
      ["In the supplier’s words", untrustedLines(submission.summary)]
    ]),
    foldable(
      { label: "Criteria and files", isOpen: isWhole },
      project.agreement.terms.criteria.map((criterion, index) => {
        const item = submission.items.find(({ criterionId }) => criterionId === criterion.id)
        return [
          h("h3", null, untrusted(criterion.id), ": ", untrusted(criterion.title)),
          item === undefined ? null : untrustedLines(item.summary),
          item === undefined || item.references.length === 0 ? null : list(item.references.map(untrusted)),
          item === undefined ? null : fileTable(item.files, `Files for criterion ${index + 1}`)
        ]
      }),
      facts([["Digest of the delivery", h("code", null, submission.digest)]])
    )
  )
}

const fileTable = (files: ReadonlyArray<SubmittedFile>, caption: string): Element =>
  table({
    caption,
    columns: ["File", "Where it is kept", "Bytes", "SHA-256"],
    rows: files.map(({ name, reference, size, sha256 }) => [
      untrusted(name),
      untrusted(reference),
      String(size),
      h("code", { "data-sha256": sha256, "data-bytes": size, "data-name": visible(name) }, sha256)
    ]),
    empty: "No files are listed for it."
  })

/** The buyer's newest decision. */
export const reviewSection = ({ project }: ProjectPageModel): Content => {
  const { review, submission } = project
  if (review === null) return null
  return section(
    "What the buyer decided",
    review.submissionId === submission?.submissionId
      ? null
      : "This decision is about the previous delivery; the newest one awaits its review.",
    facts([
      ["Decision", ["The buyer ", reviewLabels[review.action].outcome, " on ", time(review.occurredAt)]],
      ["Reason", untrustedLines(review.reason)],
      ["What the supplier does next", review.nextAction === "" ? "nothing" : untrustedLines(review.nextAction)]
    ]),
    folded(
      "The decision on each criterion",
      table({
        caption: "Criteria",
        columns: ["Criterion", "Decision", "Note"],
        rows: review.decisions.map(({ criterionId, decision, note }) => [
          untrusted(criterionId),
          criterionDecisionLabels[decision],
          note === undefined ? "" : untrustedLines(note)
        ]),
        empty: ""
      }),
      review.action === "ACCEPT" ? facts([["Acceptance", h("code", null, review.confirmationId)]]) : null
    )
  )
}

export const signatureSection = ({ project, nameOf }: ProjectPageModel): Content => {
  if (project.agreement.terms.signing === undefined) return null
  return section(
    "Signatures",
    table({
      caption: "What was signed, and by whom",
      columns: ["What", "For", "How", "When it was recorded"],
      rows: project.signatures.map((signed) => [
        signed.subject === "AGREEMENT" ? "The agreement" : "The acceptance",
        roleLabels[signed.party],
        signatureDetails(signed, nameOf),
        time(signed.occurredAt)
      ]),
      empty: "Nothing is signed yet."
    })
  )
}

const signatureDetails = ({ signature }: RecordedSignature, nameOf: ProjectPageModel["nameOf"]): Content =>
  signature.method === "NATIVE"
    ? [
        paragraph("Signed here by ", personOf(signature.personId, nameOf), ": ", untrusted(signature.statement)),
        paragraph("Digest ", h("code", null, signature.digest))
      ]
    : [
        paragraph("Signed elsewhere, as recorded by a person; this service has not verified the signature."),
        facts([
          ["Provider", untrusted(signature.evidence.provider)],
          ["Reference", untrusted(signature.evidence.reference)],
          ["File", untrusted(signature.evidence.fileName)],
          ["SHA-256", h("code", null, signature.evidence.sha256)],
          ["Signed", time(signature.evidence.signedAt)]
        ])
      ]

/** The state of the record of the acceptance. */
export const recordSection = (model: ProjectPageModel): Content => {
  const { project, view } = model
  if (project.confirmation === null) return null
  const { status, continuation, coverage } = view.project.recordIssuance
  const isOver = !["BUYER_CONFIRMED", "CONFIRMATION_CONTESTED"].includes(project.state)
  return section(
    "The record",
    project.recordId === null
      ? isOver
        ? "No record was issued."
        : recordWords(status, continuation)
      : [
          "The record was issued.",
          facts([["Record", code(project.recordId)]]),
          packageDownload(model),
          sharesLink(model)
        ],
    maySeeCredits(model) && project.recordId === null && !isOver
      ? paragraph(
          coverage === "AVAILABLE"
            ? "The buyer’s organization has a credit for it. "
            : "The buyer’s organization has no credit left. ",
          linkTo("/workspace/funding", "See the credits")
        )
      : null
  )
}

/** The signed package, where the person may have it, and how it is verified. */
const packageDownload = (model: ProjectPageModel): Content => {
  const { project, projectId, side, personId, authorities } = model
  const named = { buyerActorId: project.agreement.buyer.actorId, supplierActorId: project.supplier.actorId }
  return project.recordId === null || !passesRecordGate(named, { personId, side, authorities: [...authorities] })
    ? null
    : [
        paragraph(h("a", { href: packagePathOf(side, projectId) }, "Download the signed package")),
        offlineVerification(
          "The file contains the complete history of both parties. It can",
          "the verifying person must obtain separately from the package"
        )
      ]
}

/** Every member may read the shares; whether sharing is offered depends on the state and the person. */
const sharesLink = ({ project, projectId, side, personId, authorities }: ProjectPageModel): Element => {
  const isTheirs = authorities.has("PUBLICATION_MANAGE") && (side === "BUYER" || project.supplier.actorId === personId)
  const isOffered =
    isTheirs && project.state === "BUYER_CONFIRMED" && project.agreement.terms.termsPolicy.sharingRecipients.length > 0
  return paragraph(
    linkTo(
      `/workspace/projects/${projectId}/shares`,
      isOffered ? "Share the record with a named recipient" : "See who it is shared with"
    )
  )
}

const recordWords = (status: string, continuation: string | null): string => {
  if (status === "PENDING") {
    return continuation === "WAITING_COVERAGE"
      ? "Its issuance was requested and waits for a credit of the buyer’s organization."
      : "Its issuance was requested and is in progress."
  }
  return status === "STOPPED"
    ? "Its issuance was requested and stopped, because its preconditions have changed: a person can request it again."
    : "Its issuance has not been requested yet."
}

/** Links to the previous and next versions; null where there is none. */
export const otherVersions = (model: ProjectPageModel): Content => {
  const { agreement, successor }: Project = model.project
  const link = (projectId: string): Content => linkTo(`/workspace/projects/${projectId}`, projectId)
  const links = [
    ...(agreement.previous === null ? [] : [["Version before", link(agreement.previous.projectId)] as const]),
    ...(model.revisionProjectId === null || successor !== null
      ? []
      : [["Revision offered", link(model.revisionProjectId)] as const]),
    ...(successor === null ? [] : [["Superseded by", link(successor.projectId)] as const])
  ]
  return links.length === 0 ? null : facts(links)
}
