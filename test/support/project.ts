/** Projects in every state and the commands on them, for decisions alone: nothing here is stored. */
import { Effect, Result } from "effect"
import { Signer, type IssuerKeys } from "../../src/ports/signer.ts"
import { agreementDigest, type Agreement } from "../../src/projects/agreement.ts"
import type { IssueRecordInput } from "../../src/projects/commands/issue-record.ts"
import type { RespondInput } from "../../src/projects/commands/respond.ts"
import type { ReviewInput } from "../../src/projects/commands/review.ts"
import type { SubmitInput } from "../../src/projects/commands/submit.ts"
import { confirmAcceptance, confirmIssuance, confirmRespond } from "../../src/projects/confirmation.ts"
import { decide, type Command } from "../../src/projects/decide.ts"
import type { Actor, Happening } from "../../src/projects/event.ts"
import { sealEvent } from "../../src/projects/history.ts"
import { evolve, projectFrom, type Project, type State } from "../../src/projects/project.ts"
import type { Decision, Given } from "../../src/projects/requirements.ts"
import type { Refused } from "../../src/vocabulary/refusals.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

export const dayOne = "2026-01-01T09:00:00.000Z" as Instant
export const deadline = "2026-01-08T09:00:00.000Z" as Instant
export const reviewDeadline = "2026-01-15T09:00:00.000Z" as Instant

/** A lower-case UUID v4 with `n` in its last places. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
export const digestOfLetter = (letter: string): string => letter.repeat(64)

const buyer = { organizationId: `organization_${uuidOf(1)}`, actorId: `person_${uuidOf(1)}` }
const supplierId = `person_${uuidOf(2)}`

export const agreement: Agreement = {
  schema: "service.agreement/v1",
  projectId: `delivery_${uuidOf(1)}`,
  version: 1,
  previous: null,
  terms: {
    title: "Logo",
    scope: "One logo.",
    buyerName: "Dana Ltd",
    supplierName: "Sam Studio",
    supplierActorId: supplierId,
    supplierReference: "Sam",
    criteria: [
      { id: "vector", title: "Vector files", requirement: "An SVG and a PDF." },
      { id: "manual", title: "Manual", requirement: "One page." }
    ],
    deadline,
    reviewDeadline,
    baselineStatement: "None yet.",
    materialPolicy: "FILE_DIGESTS",
    termsPolicy: { purpose: "Record", contractBasis: "THIS_AGREEMENT", sharing: "Both", sharingRecipients: [] },
    originals: { custodian: "Sam", location: "Folder", access: "Both" },
    subjectRequirements: [],
    legalContext: { documents: [{ kind: "TERMS", version: "1", digest: digestOfLetter("d") }] }
  },
  buyer,
  supplier: { actorId: supplierId }
}

const actorOf = (role: "BUYER" | "SUPPLIER"): Actor => ({
  id: role === "BUYER" ? buyer.actorId : supplierId,
  organizationId: role === "BUYER" ? buyer.organizationId : `organization_${uuidOf(2)}`,
  role,
  execution: null
})

const keys: IssuerKeys = { schema: "service.issuer-keys/v1", issuer: "test", environment: "test", keys: [] }
const unsigned = { sign: () => Effect.succeed("unsigned"), keys }

/** The project after the event; as in the service, time in its history never runs backwards. */
export const happen = (
  project: Project,
  happening: Happening,
  role: "BUYER" | "SUPPLIER",
  now: Instant = dayOne
): Project => {
  const requestId = uuidOf(project.events.length + 1)
  const lastEventAt = project.events.at(-1)?.occurredAt ?? now
  const sealing = sealEvent(project, lastEventAt, { happening, requestId, actor: actorOf(role), now })
  return evolve(project, Effect.runSync(Effect.provideService(sealing, Signer, unsigned)).event)
}

export const created: Project = happen(
  projectFrom(agreement, agreementDigest(agreement), []),
  {
    kind: "CREATE",
    payload: { agreementDigest: agreementDigest(agreement), confirmationDigest: digestOfLetter("c") }
  },
  "BUYER"
)

/** What a decision is given: an agent's unless a person acts; ids count up from `firstId`. */
export const givenAt = (now: Instant, isPerson = false, firstId = 1): Given => {
  let count = firstId
  return { now, isPerson, isIssuanceAsked: false, newId: (kind) => `${kind}_${uuidOf(count++)}` }
}

type Changes<I> = { readonly [K in keyof I]?: I[K] }

const named = (project: Project) => ({
  requestId: uuidOf(project.events.length + 1),
  agreementDigest: project.agreementDigest
})

export const respond = (
  project: Project,
  action: RespondInput["action"],
  changes: Changes<RespondInput> = {}
): Command => ({
  kind: "RESPOND",
  input: {
    ...named(project),
    action,
    actorId: supplierId,
    actorRole: "SUPPLIER",
    authorityAttested: true,
    reason: "Agreed.",
    confirmationDigest: confirmRespond(project).digest,
    ...changes
  }
})

const file = (name: string, letter: string) => ({
  name,
  reference: `folder/${name}`,
  size: 41,
  sha256: digestOfLetter(letter)
})

/** Two criteria hold a file of one name, so that a name alone never identifies a file. */
export const items: SubmitInput["items"] = [
  {
    criterionId: "vector",
    summary: "Both files.",
    references: [],
    files: [file("logo.svg", "a"), file("logo.pdf", "b")]
  },
  { criterionId: "manual", summary: "One page.", references: [], files: [file("logo.svg", "c")] }
]

export const submit = (project: Project, changes: Changes<SubmitInput> = {}): Command => ({
  kind: "SUBMIT",
  input: {
    ...named(project),
    previousSubmissionId: project.submission?.submissionId ?? null,
    respondsToReviewId: project.review?.reviewId ?? null,
    summary: "The logo.",
    items,
    ...changes
  }
})

export const checkedFiles = items.flatMap(({ criterionId, files }) =>
  files.map(({ name, sha256 }) => ({ criterionId, name, sha256 }))
)

const usualDecision = {
  ACCEPT: "MET",
  REQUEST_CHANGES: "NOT_MET",
  REJECT: "NOT_MET",
  REQUEST_EVIDENCE: "EVIDENCE_NEEDED"
}

export const review = (
  project: Project,
  action: ReviewInput["action"],
  changes: Changes<ReviewInput> = {}
): Command => {
  const decision = usualDecision[action] as "MET" | "NOT_MET" | "EVIDENCE_NEEDED"
  const { submission } = project
  const submissionDigest = { submissionId: submission?.submissionId ?? "", digest: submission?.digest ?? "" }
  return {
    kind: "REVIEW",
    input: {
      ...named(project),
      submissionId: submissionDigest.submissionId,
      expectedEventHash: project.head,
      action,
      reason: "Looked at it.",
      nextAction: action === "ACCEPT" || action === "REJECT" ? "" : "Do more.",
      decisions: [
        { criterionId: "vector", decision },
        { criterionId: "manual", decision }
      ],
      ...(action === "ACCEPT"
        ? { checkedFiles, confirmationDigest: confirmAcceptance(project, submissionDigest).digest }
        : {}),
      ...changes
    }
  }
}

export const issueRecord = (project: Project, changes: Changes<IssueRecordInput> = {}): Command => {
  const confirmationId = project.confirmation?.confirmationId ?? ""
  return {
    kind: "ISSUE_RECORD",
    input: {
      ...named(project),
      expectedEventHash: project.head,
      confirmationId,
      confirmationDigest: confirmIssuance(project, { confirmationId }).digest,
      maxCredits: 1,
      reason: "For the archive.",
      ...changes
    }
  }
}

/** The nine moves of the table, each with the command that makes it. */
export const commandFor = {
  RESPOND_ACCEPT: (project: Project) => respond(project, "ACCEPT"),
  RESPOND_REQUEST_CHANGES: (project: Project) => respond(project, "REQUEST_CHANGES"),
  RESPOND_DECLINE: (project: Project) => respond(project, "DECLINE"),
  SUBMIT: (project: Project) => submit(project),
  REVIEW_REQUEST_CHANGES: (project: Project) => review(project, "REQUEST_CHANGES"),
  REVIEW_REQUEST_EVIDENCE: (project: Project) => review(project, "REQUEST_EVIDENCE"),
  REVIEW_ACCEPT: (project: Project) => review(project, "ACCEPT"),
  REVIEW_REJECT: (project: Project) => review(project, "REJECT"),
  ISSUE: (project: Project) => issueRecord(project)
} as const
export type CommandName = keyof typeof commandFor

/** The code of the refusal, or `ACCEPTED`. */
export const outcomeOf = (decided: Result.Result<Decision, Refused>): string =>
  Result.isFailure(decided) ? decided.failure.code : "ACCEPTED"

/** The project after an accepted command; the wish to issue is carried out at once. */
export const after = (project: Project, command: Command, now: Instant = dayOne): Project => {
  const decision = Result.getOrThrow(decide(project, command, givenAt(now, false, 10 * project.events.length)))
  const role = command.kind === "RESPOND" || command.kind === "SUBMIT" ? "SUPPLIER" : "BUYER"
  return happen(project, "event" in decision ? decision.event : issued(project), role, now)
}

const issued = (project: Project): Happening => ({
  kind: "ISSUE",
  payload: {
    recordId: `record_${uuidOf(project.events.length)}`,
    recordDigest: digestOfLetter("e"),
    confirmationId: project.confirmation?.confirmationId ?? "",
    agreementDigest: project.agreementDigest
  }
})

const walkTo = (...names: ReadonlyArray<CommandName>): Project =>
  names.reduce((project, name) => after(project, commandFor[name](project)), created)

const accepted = walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_ACCEPT")

const projects: { readonly [S in State]: Project } = {
  AWAITING_SUPPLIER: created,
  LOCKED: walkTo("RESPOND_ACCEPT"),
  SUBMITTED: walkTo("RESPOND_ACCEPT", "SUBMIT"),
  CHANGES_REQUESTED: walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REQUEST_CHANGES"),
  AWAITING_EVIDENCE: walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REQUEST_EVIDENCE"),
  AGREEMENT_CHANGES_REQUESTED: walkTo("RESPOND_REQUEST_CHANGES"),
  SUPPLIER_DECLINED: walkTo("RESPOND_DECLINE"),
  BUYER_REJECTED: walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REJECT"),
  BUYER_CONFIRMED: accepted,
  // No command of an agent leads here; the acceptance stays in the history.
  CONFIRMATION_CONTESTED: { ...accepted, state: "CONFIRMATION_CONTESTED" },
  CONFIRMATION_WITHDRAWN: { ...accepted, state: "CONFIRMATION_WITHDRAWN" },
  SUPERSEDED: { ...accepted, state: "SUPERSEDED" }
}

/** A project in that state, as its events made it. */
export const projectIn = (state: State): Project => projects[state]

/** The same project under an agreement that keeps these decisions for people. */
export const keeping = (
  project: Project,
  ...humanDecisions: ReadonlyArray<"RESPOND" | "REVIEW" | "ACCEPT" | "ISSUE">
): Project => ({
  ...project,
  agreement: {
    ...project.agreement,
    terms: {
      ...project.agreement.terms,
      subjectRequirements: [{ id: "people", statement: "A person signs this off.", humanDecisions }]
    }
  }
})
