/** Revises the terms of an agreement for the buyer: replaced at once, or offered to the supplier. */
import { Effect, Layer } from "effect"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { revisionMoveFrom } from "../../projects/moves.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { isHead } from "../commands/command-page.ts"
import { eventsAfter } from "../commands/event-list.ts"
import { respondAfterCommand, unavailablePage } from "../commands/outcome-pages.ts"
import { isAvailable, subjectForm, subjectPage, type PageContext } from "../commands/subject.ts"
import { textArea } from "../kit/fields.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import { notice, paragraph, section } from "../kit/parts.ts"
import { titleWithIdentity } from "../projects/identity.ts"
import { actLabels } from "../projects/labels.ts"
import { projectPath } from "../projects/path.ts"
import { readProjectPageModel, type ProjectPageModel } from "../projects/read-model.ts"
import { projects } from "../projects/subject.ts"
import { timeline } from "../projects/timeline.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { submittedTexts } from "../kit/submitted-texts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readChoices, type TermsChoices } from "./choices.ts"
import { entryLabel } from "./entry-labels.ts"
import { fieldsFromTerms } from "./prefill.ts"
import { agreementForm, handleDraftingStep, previewNames, type DraftingPage } from "./drafting.ts"
import { showForm, withoutFields } from "./terms-form.ts"

const acts = ["REVISE_AGREEMENT"] as const
const { name: title, path } = actLabels.REVISE_AGREEMENT

const show = subjectPage(projects, `/${path}`, function* (visitor, projectId) {
  const context = yield* projects.open(visitor, projectId)
  if (!isAvailable(context.view, acts)) return unavailablePage(context, acts)
  const { model } = context
  const { project } = model
  const choices = yield* readChoices(visitor.person, model.organizationIds[0]!, "AGREEMENT_CREATE")
  const state = { sent: fieldsFromTerms(project.agreement.terms, project.supplier.actorId), problems: [] }
  return pageResponse(showForm(agreementForm(draftingFor(visitor, model, choices)), state, yield* newRequestId))
})

const draftingFor = (visitor: Visitor, model: ProjectPageModel, choices: TermsChoices): DraftingPage => ({
  visitor,
  path: `${projectPath(model.projectId)}/${path}`,
  title,
  choices,
  carried: { expectedEventHash: model.project.head },
  before: [titleWithIdentity(model.named), section("What happens", effectOf(model))],
  reasonFields: (state) =>
    textArea(state, {
      name: "reason",
      label: "Reason for the revision",
      hint: "The supplier reads it.",
      rows: 3,
      maxLength: limits.textCharacters
    }),
  effect: effectOf(model),
  commitLabel: isReplaced(model) ? "Replace the terms" : "Offer these terms"
})

/** True where the terms are not agreed on yet and are replaced at once. */
const isReplaced = ({ project }: ProjectPageModel): boolean => revisionMoveFrom(project.state) === "REPLACE_TERMS"

const effectOf = (model: ProjectPageModel): Content => [
  paragraph(
    isReplaced(model)
      ? "The current terms are not agreed on. They are replaced at once by the new ones, as a new project, which the supplier answers."
      : "Both parties agreed on the current terms. The new ones are offered as a new project; the agreed terms remain in force until the supplier accepts the new ones. If the supplier declines, nothing changes."
  ),
  paragraph("Agents have access to the new project only with new grants; grants for this project do not apply to it.")
]

const take = subjectForm(projects, `/${path}`, function* (visitor, projectId, sent) {
  const { requestId, form } = yield* takeRequestId(sent)
  const { expectedEventHash, ...fields } = form.fields
  if (!isHead(expectedEventHash)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const model = yield* readProjectPageModel(visitor, projectId)
  if (model.side !== "BUYER") return yield* refuse("FORBIDDEN")
  const choices = yield* readChoices(visitor.person, model.organizationIds[0]!, "AGREEMENT_CREATE")
  const rest: FormSubmission = { ...form, fields }
  const drafting = { ...draftingFor(visitor, model, choices), carried: { expectedEventHash } }
  return yield* handleDraftingStep(drafting, { requestId, form: rest }, ({ terms, reason }) =>
    Effect.flatMap(
      runCommandAsPerson(
        visitor.person,
        requestOf(visitor, requestId, "reviseProject", { pathIds: [projectId], values: submittedFields(form) }),
        {
          projectId,
          expectedEventHash,
          command: {
            kind: "REVISE",
            input: {
              requestId,
              agreementDigest: model.project.agreementDigest,
              reason,
              terms: { requestId, ...terms }
            }
          }
        }
      ),
      ({ project, emailUpdate }) =>
        respondAfterCommand(
          visitor,
          "projects",
          { id: project.taskId, emailUpdate },
          isReplaced(model) ? replaced : offered
        )
    ).pipe(
      Effect.catchTag("Refusal", (refused) =>
        refused.code === "STALE_EVENT_HEAD"
          ? Effect.map(projects.open(visitor, projectId), (current) =>
              pageResponse(formOnNewest(current, { choices, expectedEventHash, rest, requestId }), 409)
            )
          : Effect.fail(refused)
      )
    )
  )
})

const replaced = {
  did: "You replaced the terms.",
  next: "They are this new project, which the supplier answers next."
}

const offered = {
  did: "You offered the revised terms.",
  next: "They are this new project, which the supplier answers next."
}

const labelOf = (name: string): string | undefined => (name === "reason" ? "Reason" : entryLabel(name))

interface OutdatedForm {
  readonly choices: TermsChoices
  readonly expectedEventHash: string
  readonly rest: FormSubmission
  readonly requestId: string
}

/** Shows the events since the form was opened, with all entered values, to continue from the current state. */
const formOnNewest = (
  context: PageContext<ProjectPageModel>,
  { choices, expectedEventHash, rest, requestId }: OutdatedForm
): string => {
  if (!isAvailable(context.view, acts)) return unavailablePage(context, acts, submittedTexts(rest.fields, labelOf))
  const { visitor, model } = context
  return showForm(
    agreementForm(draftingFor(visitor, model, choices)),
    { sent: withoutFields(rest.fields, previewNames), problems: [] },
    requestId,
    [
      notice("warning", "The project has changed meanwhile. Nothing was done: read what is new, then continue here."),
      section("What happened since", timeline(model, eventsAfter(model.project.events, expectedEventHash)))
    ]
  )
}

export const agreementRevision = Layer.merge(show, take)
