/** Makes an agreement for one of a person's organizations, in the steps of a draft. */
import { Effect, Schema } from "effect"
import { commitDraft } from "../../drafts/finish.ts"
import { readProjectForPages } from "../../projects/project-for-pages.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { respondAfterCommand } from "../commands/outcome-pages.ts"
import { draftKind, type FinishedDraft } from "../drafts/kind.ts"
import { draftKindPages } from "../drafts/start.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { projectPath } from "../projects/path.ts"
import { decodePartialDraft } from "./draft-values.ts"
import { agreementForm, committedTerms } from "./drafting.ts"
import { contentLike, fieldsFromDraft } from "./prefill.ts"
import type { AgreementInput } from "./values.ts"

export const agreementKind = draftKind({
  path: "/workspace/projects/new",
  title: "Make an agreement",
  place: "projects",
  authority: "AGREEMENT_CREATE",
  role: "BUYER",
  writer: "You make it as buyer for ",
  all: linkTo("/workspace/projects", "My projects"),
  note: "Each step is saved in a draft. Nothing is sent before you have read the preview and committed it there.",
  effect: [
    paragraph(
      "It is made at once, as your organization’s agreement, and waits for the supplier’s answer. The supplier accepts these exact terms, asks for others, or declines."
    ),
    paragraph("Your agents have access to it only with a new grant.")
  ],
  commitLabel: "Make this agreement",
  fieldsFromDraft,
  decodePartial: decodePartialDraft,
  readLike: (visitor, projectId) =>
    Effect.gen(function* () {
      if (!isProjectId(projectId)) return yield* refuse("NOT_FOUND")
      const { side, organizationIds, project } = yield* readProjectForPages(visitor.person, projectId)
      if (side !== "BUYER") return yield* refuse("FORBIDDEN", { detail: "Your organization is not its buyer." })
      const { actorId } = project.supplier
      const content = contentLike(project.agreement.terms)
      // The representative may have joined or changed after the terms were made.
      return {
        organizationId: organizationIds[0]!,
        content: actorId === null ? content : { ...content, supplierActorId: actorId }
      }
    }),
  form: agreementForm,
  operation: "commitDraft",
  outcomePath: projectPath,
  commit: ({ visitor, request, draft, entered, confirmation }: FinishedDraft<AgreementInput>) =>
    Effect.gen(function* () {
      const { draftId, revision } = draft
      const terms = yield* committedTerms(entered, confirmation)
      const input = { draftId, revision, requestId: request.requestId, ...terms }
      const { project, emailUpdate } = yield* commitDraft(visitor.person, request, input)
      return yield* respondAfterCommand(visitor, "projects", { id: project.taskId, emailUpdate }, made)
    })
})

export const agreementCreation = draftKindPages(agreementKind)

const made = {
  did: "You made this agreement.",
  next: "The supplier accepts these exact terms, asks for others, or declines."
}

const isProjectId = Schema.is(idOf("delivery"))
