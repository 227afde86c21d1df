/** Revises the terms of an agreement for the buyer: replaced at once, or offered to the supplier. */
import { Effect, Layer, Schema } from "effect"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { revisionMoveFrom } from "../../projects/moves.ts"
import { Digest } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { unavailablePage } from "../projects/unavailable-page.ts"
import { textArea } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import { notice, paragraph, section } from "../kit/parts.ts"
import { titleWithIdentity } from "../projects/identity.ts"
import { isAvailable } from "../projects/next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "../projects/read-model.ts"
import { timeline } from "../projects/timeline.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readAgreementChoices, type AgreementChoices } from "./choices.ts"
import { respondAfterCommand } from "../projects/after-command.ts"
import { fieldsFromTerms } from "./prefill.ts"
import { foreignFormDetail } from "./rows.ts"
import { showForm, handleDraftingStep, type DraftingPage } from "./steps.ts"

const address = "/workspace/projects/:projectId/revise"
const revision = { title: "Revise the terms", acts: ["REVISE_AGREEMENT"] } as const

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readProjectPageModel(visitor, yield* pathId("projectId", "delivery"))
    if (!isAvailable(model, revision.acts)) return pageResponse(unavailablePage(revision, { visitor, model }))
    const { project } = model
    const choices = yield* readAgreementChoices(visitor.person, model.organizationIds[0]!)
    const state = { sent: fieldsFromTerms(project.agreement.terms, project.supplier.actorId), problems: [] }
    return pageResponse(showForm(draftingFor(visitor, model, choices), state, yield* newRequestId))
  })
)

const draftingFor = (visitor: Visitor, model: ProjectPageModel, choices: AgreementChoices): DraftingPage => ({
  visitor,
  path: `/workspace/projects/${model.projectId}/revise`,
  title: revision.title,
  choices,
  isRevision: true,
  carried: { expectedEventHash: model.project.head },
  before: [titleWithIdentity(model.named), section("What happens", effectOf(model))],
  firstFields: (state) =>
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

const take = signedInForm(address, (visitor, sent) =>
  Effect.gen(function* () {
    const projectId = yield* pathId("projectId", "delivery")
    const { requestId, form } = yield* takeRequestId(sent)
    const { expectedEventHash, ...fields } = form.fields
    if (!isDigest(expectedEventHash)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    const model = yield* readProjectPageModel(visitor, projectId)
    if (model.side !== "BUYER") return yield* refuse("FORBIDDEN")
    const choices = yield* readAgreementChoices(visitor.person, model.organizationIds[0]!)
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
        (done) => respondAfterCommand(visitor, done)
      ).pipe(
        Effect.catchTag("Refusal", (refused) =>
          refused.code === "STALE_EVENT_HEAD"
            ? Effect.map(readProjectPageModel(visitor, projectId), (current) =>
                pageResponse(formOnNewest(visitor, current, { choices, expectedEventHash, rest, requestId }), 409)
              )
            : Effect.fail(refused)
        )
      )
    )
  })
)

const isDigest = Schema.is(Digest)

interface OutdatedForm {
  readonly choices: AgreementChoices
  readonly expectedEventHash: string
  readonly rest: FormSubmission
  readonly requestId: string
}

/** Shows the events since the form was opened, with all entered values, to continue from the current state. */
const formOnNewest = (
  visitor: Visitor,
  model: ProjectPageModel,
  { choices, expectedEventHash, rest, requestId }: OutdatedForm
): string => {
  if (!isAvailable(model, revision.acts)) return unavailablePage(revision, { visitor, model }, rest.fields)
  const { events } = model.project
  const shown = events.findIndex(({ hash }) => hash === expectedEventHash)
  const { confirmationDigest: _, shownDigest: __, ...fields } = rest.fields
  return showForm(draftingFor(visitor, model, choices), { sent: fields, problems: [] }, requestId, [
    notice(
      "warning",
      paragraph("The project has changed meanwhile. Nothing was done: read what is new, then continue here.")
    ),
    section("What happened since", timeline(model, shown === -1 ? [] : events.slice(shown + 1)))
  ])
}

export const agreementRevision = Layer.merge(show, take)
