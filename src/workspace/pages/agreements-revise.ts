/** Revises the terms of an agreement for the buyer: replaced at once, or offered to the supplier. */
import { Effect, Layer, Schema } from "effect"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { revisionMoveFrom } from "../../projects/project.ts"
import { Digest } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import { closedPage } from "../closed-page.ts"
import { textArea } from "../fields.ts"
import type { SentForm } from "../form.ts"
import type { Content } from "../html.ts"
import { notice, paragraph, section } from "../parts.ts"
import { titledIdentity } from "../project-identity.ts"
import { isOpen } from "../project-next.ts"
import { readSeenProject, type SeenProject } from "../project-seen.ts"
import { timeline } from "../project-timeline.ts"
import { entered, newRequestId, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { readAgreementChoices, type AgreementChoices } from "./agreements-choices.ts"
import { answerDone } from "../project-done.ts"
import { fieldsFrom } from "./agreements-prefill.ts"
import { notAsShown } from "./agreements-rows.ts"
import { showForm, takeStep, type Drafting } from "./agreements-steps.ts"

const address = "/workspace/projects/:projectId/revise"
const revision = { title: "Revise the terms", acts: ["REVISE_AGREEMENT"] } as const

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readSeenProject(visitor, yield* pathId("projectId", "delivery"))
    if (!isOpen(model, revision.acts)) return pageResponse(closedPage(revision, { visitor, model }))
    const { project } = model
    const choices = yield* readAgreementChoices(visitor.person, model.organizationIds[0]!)
    const state = { sent: fieldsFrom(project.agreement.terms, project.supplier.actorId), problems: [] }
    return pageResponse(showForm(draftingFor(visitor, model, choices), state, yield* newRequestId))
  })
)

const draftingFor = (visitor: Visitor, model: SeenProject, choices: AgreementChoices): Drafting => ({
  visitor,
  path: `/workspace/projects/${model.projectId}/revise`,
  title: revision.title,
  choices,
  isRevision: true,
  carried: { expectedEventHash: model.project.head },
  before: [titledIdentity(model.named), section("What happens", effectOf(model))],
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
const isReplaced = ({ project }: SeenProject): boolean => revisionMoveFrom(project.state) === "REPLACE_TERMS"

const effectOf = (model: SeenProject): Content => [
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
    if (!isDigest(expectedEventHash)) return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
    const model = yield* readSeenProject(visitor, projectId)
    if (model.side !== "BUYER") return yield* refuse("FORBIDDEN")
    const choices = yield* readAgreementChoices(visitor.person, model.organizationIds[0]!)
    const rest: SentForm = { ...form, fields }
    const drafting = { ...draftingFor(visitor, model, choices), carried: { expectedEventHash } }
    return yield* takeStep(drafting, { requestId, form: rest }, ({ terms, reason }) =>
      Effect.flatMap(
        runCommandAsPerson(
          visitor.person,
          requestOf(visitor, requestId, "reviseProject", { pathIds: [projectId], values: entered(form) }),
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
        (done) => answerDone(visitor, done)
      ).pipe(
        Effect.catchTag("Refused", (refused) =>
          refused.code === "STALE_EVENT_HEAD"
            ? Effect.map(readSeenProject(visitor, projectId), (current) =>
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
  readonly rest: SentForm
  readonly requestId: string
}

/** Shows the events since the form was opened, with all entered values, to continue from the current state. */
const formOnNewest = (
  visitor: Visitor,
  model: SeenProject,
  { choices, expectedEventHash, rest, requestId }: OutdatedForm
): string => {
  if (!isOpen(model, revision.acts)) return closedPage(revision, { visitor, model }, rest.fields)
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
