/** Writes a new version of a proposal, which replaces the current one. */
import { Effect, Layer } from "effect"
import { runProposalCommandAsPerson } from "../../proposals/person-operations.ts"
import { wasCommitted } from "../../replay/idempotency.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { FormSubmission } from "../kit/form.ts"
import { linkTo, notice, paragraph, section } from "../kit/parts.ts"
import { isProposalHead, headFieldName } from "./command-page.ts"
import {
  unavailableProposalPage,
  eventsSince,
  eventsSinceSection,
  isProposalActAvailable,
  isOwnProposalAct
} from "./command-refused.ts"
import { proposalPath, proposalTitleWithIdentity } from "./identity.ts"
import { explainMissingOrganization } from "./missing-organization.ts"
import { readProposalPageModel, type ProposalPageModel } from "./read-model.ts"
import { proposalTermsFacts } from "./terms.ts"
import { proposalActLabels } from "./labels.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { stepName } from "../agreements/form.ts"
import { previewDigestName } from "../agreements/preview.ts"
import { foreignFormDetail } from "../agreements/rows.ts"
import { readProposalChoices, type ProposalChoices } from "./choices.ts"
import { fieldsFromVersion } from "./prefill.ts"
import { showProposalForm, handleWritingStep, type WritingPage } from "./steps.ts"
import { newProposalForm, enteredTerms } from "./entered-terms.ts"

const act = "UPDATE_PROPOSAL"
const address = "/workspace/proposals/:proposalId/update"

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readProposalPageModel(visitor, yield* pathId("proposalId", "proposal"))
    if (!isProposalActAvailable(model, act)) return pageResponse(unavailableProposalPage(act, { visitor, model }))
    const choices = yield* readProposalChoices(visitor.person, model.view.organizationId)
    const state = { sent: fieldsFromVersion(model, choices), problems: [] }
    return pageResponse(showProposalForm(writingFor(visitor, model, choices), state, yield* newRequestId))
  }).pipe(explainMissingOrganization(visitor))
)

const writingFor = (visitor: Visitor, model: ProposalPageModel, choices: ProposalChoices): WritingPage => {
  const { proposal } = model.view
  const { specification } = proposal.terms
  const effect = [
    paragraph(
      `This becomes version ${proposal.version + 1} and replaces version ${proposal.version} completely: only the values of this form are used.`
    ),
    paragraph(
      proposal.publishedVersion === null
        ? "It is visible only in your organization until you publish it."
        : `Version ${proposal.publishedVersion}, which was published, can no longer be answered then. The new one has to be published too.`
    )
  ]
  return {
    visitor,
    path: `${proposalPath(model.proposalId)}/update`,
    title: proposalActLabels[act].name,
    choices,
    carried: { [headFieldName]: proposal.proposalHead },
    pinned: specification === undefined ? {} : { specification },
    before: [
      proposalTitleWithIdentity(model),
      section("What happens", effect),
      specification === undefined
        ? null
        : paragraph(
            `It still refers to the public specification ${specification.id}, version ${specification.version}.`
          )
    ],
    effect,
    commitLabel: `Save version ${proposal.version + 1}`
  }
}

const take = signedInForm(address, (visitor, sent) =>
  Effect.gen(function* () {
    const proposalId = yield* pathId("proposalId", "proposal")
    const { requestId, form } = yield* takeRequestId(sent)
    const { [headFieldName]: expectedProposalHead, ...fields } = form.fields
    if (!isProposalHead(expectedProposalHead)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    const request = requestOf(visitor, requestId, "updateProposalAsPerson", {
      pathIds: [proposalId],
      values: submittedFields(form)
    })
    if (yield* wasCommitted(request)) return seeOther(proposalPath(proposalId))
    const model = yield* readProposalPageModel(visitor, proposalId)
    if (model.view.role !== "SUPPLIER") return yield* refuse("FORBIDDEN")
    if (!isProposalActAvailable(model, act))
      return pageResponse(unavailable(visitor, model, fields, yield* newRequestId), 409)
    const choices = yield* readProposalChoices(visitor.person, model.view.organizationId)
    const { proposalHead, version } = model.view.proposal
    // A version that was not shown cannot be replaced; rows can still be added to the form.
    if (fields[stepName] === undefined && proposalHead !== expectedProposalHead) {
      return pageResponse(formOnNewest(visitor, model, { choices, expectedProposalHead, fields, requestId }), 409)
    }
    const rest: FormSubmission = { ...form, fields }
    const writing = { ...writingFor(visitor, model, choices), carried: { [headFieldName]: expectedProposalHead } }
    return yield* handleWritingStep(writing, { requestId, form: rest }, (input) =>
      runProposalCommandAsPerson(visitor.person, request, {
        proposalId,
        expectedProposalHead,
        command: { kind: "UPDATE", input: { requestId, expectedVersion: version, ...input } }
      }).pipe(Effect.as(seeOther(proposalPath(proposalId))))
    )
  }).pipe(explainMissingOrganization(visitor))
)

/** Ended meanwhile, or no longer permitted: the entered values are shown. */
const unavailable = (visitor: Visitor, model: ProposalPageModel, fields: Fields, requestId: string): string =>
  unavailableProposalPage(act, { visitor, model }, [
    enteredTerms(fields),
    isOwnProposalAct(model, act)
      ? newProposalForm(visitor.viewer, model.view.organizationId, { requestId, fields })
      : null
  ])

interface OutdatedForm {
  readonly choices: ProposalChoices
  readonly expectedProposalHead: string
  readonly fields: Fields
  readonly requestId: string
}

/** Shows the events since the form was opened, with all entered values, to continue from the current version. */
const formOnNewest = (
  visitor: Visitor,
  model: ProposalPageModel,
  { choices, expectedProposalHead, fields, requestId }: OutdatedForm
): string => {
  const { [previewDigestName]: _, ...terms } = fields
  const isRewritten = eventsSince(model, expectedProposalHead).some(({ kind }) => kind === "UPDATE")
  return showProposalForm(writingFor(visitor, model, choices), { sent: terms, problems: [] }, requestId, [
    notice(
      "warning",
      paragraph(
        "The proposal has changed meanwhile. Nothing was done: read what is new, then continue here. ",
        linkTo(proposalPath(model.proposalId), "See the current proposal")
      )
    ),
    eventsSinceSection(model, expectedProposalHead),
    isRewritten
      ? section(
          `Version ${model.view.proposal.version}, the current one`,
          paragraph("Your entries are further down. Saving them replaces this whole version:"),
          proposalTermsFacts(model)
        )
      : null
  ])
}

export const proposalUpdate = Layer.merge(show, take)
