/** Every command on a project as a careful client sends it; `changes` replaces members. */
import { confirmAcceptance, confirmIssuance, confirmRespond } from "../../src/projects/confirmation.ts"
import type { Command, CommandKind } from "../../src/projects/decide.ts"
import type { Project } from "../../src/projects/project.ts"
import type { SignatureInput } from "../../src/projects/signing.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { digestOfCharacter, member, sam, uuidOf } from "./project-people.ts"

type Input<K extends CommandKind> = Command<K>["input"]
type Changes<K extends CommandKind> = { readonly [M in keyof Input<K>]?: Input<K>[M] }

const named = (project: Project) => ({
  requestId: uuidOf(project.events.length + 1),
  agreementDigest: project.agreementDigest
})

const confirmationOf = (project: Project) => ({
  ...named(project),
  confirmationId: project.confirmation?.confirmationId ?? "",
  reason: "For the archive."
})

export const respond = (
  project: Project,
  action: Input<"RESPOND">["action"],
  changes: Changes<"RESPOND"> = {}
): Command => ({
  kind: "RESPOND",
  input: {
    ...named(project),
    action,
    actorId: project.supplier.actorId ?? "",
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
  sha256: digestOfCharacter(letter)
})

/** Two criteria have a file of the same name: a name alone identifies no file. */
export const items: Input<"SUBMIT">["items"] = [
  {
    criterionId: "vector",
    summary: "Both files.",
    references: [],
    files: [file("logo.svg", "a"), file("logo.pdf", "b")]
  },
  { criterionId: "manual", summary: "One page.", references: [], files: [file("logo.svg", "c")] }
]

export const submit = (project: Project, changes: Changes<"SUBMIT"> = {}): Command => ({
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
} as const

const submissionOf = ({ submission }: Project) => ({
  submissionId: submission?.submissionId ?? "",
  digest: submission?.digest ?? ""
})

/** The digest shown before an acceptance. */
export const acceptanceDigest = (project: Project): string => confirmAcceptance(project, submissionOf(project)).digest

export const review = (
  project: Project,
  action: Input<"REVIEW">["action"],
  changes: Changes<"REVIEW"> = {}
): Command => ({
  kind: "REVIEW",
  input: {
    ...named(project),
    submissionId: submissionOf(project).submissionId,
    expectedEventHash: project.head,
    action,
    reason: "Looked at it.",
    nextAction: action === "ACCEPT" || action === "REJECT" ? "" : "Do more.",
    decisions: [
      { criterionId: "vector", decision: usualDecision[action] },
      { criterionId: "manual", decision: usualDecision[action] }
    ],
    ...(action === "ACCEPT" ? { checkedFiles, confirmationDigest: acceptanceDigest(project) } : {}),
    ...changes
  }
})

export const issueRecord = (project: Project, changes: Changes<"ISSUE_RECORD"> = {}): Command => {
  const confirmation = confirmationOf(project)
  return {
    kind: "ISSUE_RECORD",
    input: {
      ...confirmation,
      expectedEventHash: project.head,
      confirmationDigest: confirmIssuance(project, confirmation).digest,
      maxCredits: 1,
      ...changes
    }
  }
}

export const dateRevision = (
  project: Project,
  purpose: Input<"DATE_REVISION">["purpose"],
  changes: Changes<"DATE_REVISION"> = {}
): Command => ({
  kind: "DATE_REVISION",
  input: { ...named(project), expectedEventHash: project.head, purpose, reason: "A week more.", ...changes }
})

export const liftHold = (project: Project, changes: Changes<"LIFT_HOLD"> = {}): Command => ({
  kind: "LIFT_HOLD",
  input: { ...named(project), reason: "The dates stand.", ...changes }
})

export const concern = (project: Project, changes: Changes<"CONCERN"> = {}): Command => ({
  kind: "CONCERN",
  input: { ...confirmationOf(project), expectedEventHash: project.head, kind: "MATERIALS", ...changes }
})

export const resolveConcern = (
  project: Project,
  resolution: Input<"RESOLVE_CONCERN">["resolution"],
  changes: Changes<"RESOLVE_CONCERN"> = {}
): Command => ({ kind: "RESOLVE_CONCERN", input: { ...confirmationOf(project), resolution, ...changes } })

export const withdrawConfirmation = (project: Project, changes: Changes<"WITHDRAW_CONFIRMATION"> = {}): Command => ({
  kind: "WITHDRAW_CONFIRMATION",
  input: { ...confirmationOf(project), ...changes }
})

export const changeRepresentative = (project: Project, changes: Changes<"CHANGE_REPRESENTATIVE"> = {}): Command => ({
  kind: "CHANGE_REPRESENTATIVE",
  input: { ...named(project), supplierActorId: otherThan(project).personId, reason: "Sam moved on.", ...changes }
})

const otherThan = ({ supplier }: Project) => (supplier.actorId === member.personId ? sam : member)

/** The same terms under another title. */
export const revise = (project: Project, changes: Changes<"REVISE"> = {}): Command => ({
  kind: "REVISE",
  input: {
    ...named(project),
    reason: "Another title.",
    terms: { ...project.agreement.terms, requestId: named(project).requestId, title: "Logo, revised" },
    ...changes
  }
})

export const handoff = (project: Project): Command => ({
  kind: "HANDOFF",
  input: { requestId: uuidOf(project.events.length + 1), reason: "I am not sure." }
})

export const evidence = {
  provider: "Paper",
  reference: "Folder 7",
  fileName: "signed.pdf",
  sha256: digestOfCharacter("7"),
  signedAt: "2026-01-01T08:00:00.000Z" as Instant
}

/** The signature that the agreement requires over that digest; undefined if it requires none. */
export const signatureFor = ({ agreement }: Project, digest: string): SignatureInput | undefined => {
  const { signing } = agreement.terms
  if (signing === undefined) return undefined
  return signing.method === "NATIVE" ? { method: "NATIVE", digest } : { method: "EXTERNAL", evidence }
}

export const sign = (project: Project, changes: Changes<"SIGN"> = {}): Command => ({
  kind: "SIGN",
  input: {
    ...named(project),
    signature: signatureFor(project, project.agreementDigest) ?? { method: "NATIVE", digest: project.agreementDigest },
    ...changes
  }
})

/** The acceptance with the signature that the agreement requires. */
export const acceptance = (project: Project, changes: Changes<"REVIEW"> = {}): Command => {
  const signature = signatureFor(project, acceptanceDigest(project))
  return review(project, "ACCEPT", { ...(signature === undefined ? {} : { signature }), ...changes })
}

/** Every command, by its name in tables. */
export const commandFor = {
  RESPOND_ACCEPT: (project: Project) => respond(project, "ACCEPT"),
  RESPOND_REQUEST_CHANGES: (project: Project) => respond(project, "REQUEST_CHANGES"),
  RESPOND_DECLINE: (project: Project) => respond(project, "DECLINE"),
  SIGN_AGREEMENT: (project: Project) => sign(project),
  SUBMIT: (project: Project) => submit(project),
  REVIEW_REQUEST_CHANGES: (project: Project) => review(project, "REQUEST_CHANGES"),
  REVIEW_REQUEST_EVIDENCE: (project: Project) => review(project, "REQUEST_EVIDENCE"),
  REVIEW_ACCEPT: (project: Project) => acceptance(project),
  REVIEW_REJECT: (project: Project) => review(project, "REJECT"),
  ISSUE: (project: Project) => issueRecord(project),
  HOLD_DELIVERY: (project: Project) => dateRevision(project, "DELIVERY"),
  HOLD_REVIEW: (project: Project) => dateRevision(project, "REVIEW"),
  LIFT_HOLD: (project: Project) => liftHold(project),
  CONCERN: (project: Project) => concern(project),
  DISMISS_CONCERN: (project: Project) => resolveConcern(project, "DISMISSED"),
  UPHOLD_CONCERN: (project: Project) => resolveConcern(project, "UPHELD"),
  WITHDRAW_CONFIRMATION: (project: Project) => withdrawConfirmation(project),
  CHANGE_REPRESENTATIVE: (project: Project) => changeRepresentative(project),
  REVISE: (project: Project) => revise(project),
  HANDOFF: (project: Project) => handoff(project)
} as const
export type CommandName = keyof typeof commandFor
