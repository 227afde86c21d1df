/** Writes a new version of a proposal, which replaces the current one. */
import { Effect, Layer } from "effect"
import { runProposalCommandAsPerson } from "../../proposals/person-operations.ts"
import { wasCommitted } from "../../replay/idempotency.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { foreignFormDetail, type FormSubmission } from "../kit/form.ts"
import { linkTo, notice, paragraph, section } from "../kit/parts.ts"
import { isHead } from "../commands/command-page.ts"
import { eventsAfter } from "../commands/event-list.ts"
import { unavailablePage } from "../commands/outcome-pages.ts"
import { isAvailable, isOwnAct, subjectForm, subjectPage, type PageContext } from "../commands/subject.ts"
import { submittedFields, newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import type { Fields } from "../kit/urlencoded.ts"
import type { Visitor } from "../kit/visitor.ts"
import { buttonName } from "../agreements/form.ts"
import { previewDigestName, showForm, withoutFields, type TermsPage } from "../agreements/terms-form.ts"
import { readChoices, type TermsChoices } from "../agreements/choices.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { proposalPath, proposalTitleWithIdentity } from "./identity.ts"
import type { ProposalPageModel } from "./read-model.ts"
import { proposals } from "./subject.ts"
import { proposalTermsFacts } from "./terms.ts"
import { proposalActLabels } from "./labels.ts"
import { fieldsFromVersion } from "./prefill.ts"
import { handleWritingStep, proposalForm } from "./writing.ts"
import { newProposalForm, enteredTerms } from "./entered-terms.ts"

const acts = ["UPDATE_PROPOSAL"] as const
const { headField } = proposals
const { name: title, path } = proposalActLabels.UPDATE_PROPOSAL

const show = subjectPage(proposals, `/${path}`, function* (visitor, proposalId) {
  const context = yield* proposals.open(visitor, proposalId)
  if (!isAvailable(context.view, acts)) return unavailablePage(context, acts)
  const { model } = context
  const choices = yield* readChoices(visitor.person, model.view.organizationId, "PROPOSAL_MANAGE")
  const state = { sent: fieldsFromVersion(model, choices), problems: [] }
  return pageResponse(showForm(proposalForm(writingFor(visitor, model, choices)), state, yield* newRequestId))
})

const writingFor = (visitor: Visitor, model: ProposalPageModel, choices: TermsChoices): TermsPage => {
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
    path: `${proposalPath(model.proposalId)}/${path}`,
    title,
    choices,
    carried: { [headField]: proposal.proposalHead },
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

const take = subjectForm(proposals, `/${path}`, function* (visitor, proposalId, sent) {
  const { requestId, form } = yield* takeRequestId(sent)
  const { [headField]: expectedProposalHead, ...fields } = form.fields
  if (!isHead(expectedProposalHead)) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  const request = requestOf(visitor, requestId, "updateProposalAsPerson", {
    pathIds: [proposalId],
    values: submittedFields(form)
  })
  if (yield* wasCommitted(request)) return seeOther(proposalPath(proposalId))
  const context = yield* proposals.open(visitor, proposalId)
  const { model } = context
  if (model.view.role !== "SUPPLIER") return yield* refuse("FORBIDDEN")
  if (!isAvailable(context.view, acts)) return pageResponse(unavailable(context, fields, yield* newRequestId), 409)
  const choices = yield* readChoices(visitor.person, model.view.organizationId, "PROPOSAL_MANAGE")
  const { proposalHead, version } = model.view.proposal
  // A version that was not shown cannot be replaced; rows can still be added to the form.
  if (fields[buttonName] === undefined && proposalHead !== expectedProposalHead) {
    return pageResponse(formOnNewest(context, { choices, expectedProposalHead, fields, requestId }), 409)
  }
  const rest: FormSubmission = { ...form, fields }
  const writing = { ...writingFor(visitor, model, choices), carried: { [headField]: expectedProposalHead } }
  return yield* handleWritingStep(writing, { requestId, form: rest }, (input) =>
    runProposalCommandAsPerson(visitor.person, request, {
      proposalId,
      expectedProposalHead,
      command: { kind: "UPDATE", input: { requestId, expectedVersion: version, ...input } }
    }).pipe(
      Effect.andThen(
        acknowledge(visitor, proposalPath(proposalId), {
          did: "The new version was saved.",
          next: "The recipient can read it once you publish it."
        })
      )
    )
  )
})

/** Ended meanwhile, or no longer permitted: the entered values are shown. */
const unavailable = (context: PageContext<ProposalPageModel>, fields: Fields, requestId: string): string => {
  const { visitor, model, view } = context
  return unavailablePage(context, acts, [
    enteredTerms(fields),
    isOwnAct(view, acts) ? newProposalForm(visitor.viewer, model.view.organizationId, { requestId, fields }) : null
  ])
}

interface OutdatedForm {
  readonly choices: TermsChoices
  readonly expectedProposalHead: string
  readonly fields: Fields
  readonly requestId: string
}

/** Shows the events since the form was opened, with all entered values, to continue from the current version. */
const formOnNewest = (
  { visitor, model, view }: PageContext<ProposalPageModel>,
  { choices, expectedProposalHead, fields, requestId }: OutdatedForm
): string => {
  const isRewritten = eventsAfter(model.events, expectedProposalHead).some(({ kind }) => kind === "UPDATE")
  return showForm(
    proposalForm(writingFor(visitor, model, choices)),
    { sent: withoutFields(fields, [previewDigestName]), problems: [] },
    requestId,
    [
      notice(
        "warning",
        paragraph(
          "The proposal has changed meanwhile. Nothing was done: read what is new, then continue here. ",
          linkTo(proposalPath(model.proposalId), "See the current proposal")
        )
      ),
      view.eventsSince(expectedProposalHead),
      isRewritten
        ? section(
            `Version ${model.view.proposal.version}, the current one`,
            "Your entries are further down. Saving them replaces this whole version:",
            proposalTermsFacts(model)
          )
        : null
    ]
  )
}

export const proposalUpdate = Layer.merge(show, take)
