/**
 * The page of one command on a proposal, with its form. The form carries the head that was shown, so that a person
 * never decides on a version that the page did not show.
 */
import { Effect, Layer, Result, Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { ProposalCommand } from "../../proposals/decide.ts"
import { runProposalCommandAsPerson } from "../../proposals/person-operations.ts"
import { wasCommitted } from "../../replay/idempotency.ts"
import { Digest } from "../../vocabulary/ids.ts"
import { refusal, refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { emptyForm, form, hidden, type FormState } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { isShownOnPage } from "../projects/command-refused.ts"
import { rememberFailedEmail } from "../kit/email-failed-notice.ts"
import { submittedValues } from "../kit/submitted-values.ts"
import {
  staleProposalPage,
  unavailableProposalPage,
  isProposalActAvailable,
  isOwnProposalAct,
  refusedProposalPage,
  type ProposalPageContext
} from "./command-refused.ts"
import { proposalPath, proposalTitleWithIdentity } from "./identity.ts"
import { explainMissingOrganization } from "./missing-organization.ts"
import { readProposalPageModel } from "./read-model.ts"
import { proposalActLabels, type ProposalAct } from "./labels.ts"
import { submittedFields, newRequestId, requestIdField, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The decoded decision. */
export interface ProposalDecision {
  readonly command: ProposalCommand
  /** The organization, where a recipient has to choose one. */
  readonly organizationId?: string
}

export interface ProposalCommandPage<R> {
  readonly act: ProposalAct
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
  /** The content before the form, and the fields of the form. */
  readonly show: (context: ProposalPageContext, state: FormState) => Effect.Effect<ProposalPageContent, Refusal, R>
  readonly read: (
    given: ProposalPageContext & { readonly requestId: string },
    form: FormSubmission
  ) => Effect.Effect<Result.Result<ProposalDecision, FormState>, Refusal, R>
}

export interface ProposalPageContent {
  readonly before: Content
  readonly fields: Content
  readonly submitLabel: string
}

export const proposalCommandPage = <R>(act: ProposalCommandPage<R>) => {
  const address = `/workspace/proposals/:proposalId/${proposalActLabels[act.act].path}` satisfies HttpRouter.PathInput
  return Layer.merge(
    signedInPage(address, (visitor) =>
      Effect.gen(function* () {
        const model = yield* readProposalPageModel(visitor, yield* pathId("proposalId", "proposal"))
        const context = { visitor, model }
        if (!isProposalActAvailable(model, act.act)) return pageResponse(unavailableProposalPage(act.act, context))
        const sent = { state: emptyForm, requestId: yield* newRequestId }
        return pageResponse(yield* openPage(act, context, sent))
      }).pipe(explainMissingOrganization(visitor))
    ),
    signedInForm(address, (visitor, sent) => take(act, visitor, sent).pipe(explainMissingOrganization(visitor)))
  )
}

interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

const openPage = Effect.fnUntraced(function* <R>(
  act: ProposalCommandPage<R>,
  context: ProposalPageContext,
  { state, requestId }: PageForm
) {
  const { visitor, model } = context
  const { before, fields, submitLabel } = yield* act.show(context, state)
  const { name, path } = proposalActLabels[act.act]
  return page(
    { title: name, viewer: visitor.viewer, place: "proposals", problems: state.problems },
    proposalTitleWithIdentity(model),
    before,
    form(
      {
        action: `${proposalPath(model.proposalId)}/${path}`,
        formToken: visitor.viewer.formToken,
        submitLabel,
        ...(act.isDangerous === true ? { isDangerous: true } : {})
      },
      requestIdField(requestId),
      hidden(headFieldName, model.view.proposal.proposalHead),
      fields
    ),
    paragraph(linkTo(proposalPath(model.proposalId), "Go to the proposal"))
  )
})

const take = Effect.fnUntraced(function* <R>(act: ProposalCommandPage<R>, visitor: Visitor, sent: FormSubmission) {
  const proposalId = yield* pathId("proposalId", "proposal")
  const { requestId, form } = yield* takeRequestId(sent)
  const { expectedProposalHead, rest } = yield* takeShownHead(form)
  const model = yield* readProposalPageModel(visitor, proposalId)
  const context = { visitor, model }
  const { fields } = rest
  const request = requestOf(visitor, requestId, act.operation, { pathIds: [proposalId], values: submittedFields(form) })
  // A replay is answered before any check against the current proposal.
  if (yield* wasCommitted(request)) return seeOther(proposalPath(proposalId))
  const title = proposalActLabels[act.act].name
  if (!isOwnProposalAct(model, act.act)) {
    const refused = refusal("FORBIDDEN")
    return pageResponse(refusedProposalPage(context, { title, refused, fields }), statusOf(refused))
  }
  const read = yield* act.read({ ...context, requestId }, rest)
  if (Result.isFailure(read)) {
    // The values were entered for an older state: the person reads the newest one first.
    if (model.view.proposal.proposalHead !== expectedProposalHead) {
      return pageResponse(staleProposalPage(act.act, context, { expectedProposalHead, fields }), 409)
    }
    return isProposalActAvailable(model, act.act)
      ? pageResponse(yield* openPage(act, context, { state: read.failure, requestId }), 400)
      : pageResponse(unavailableProposalPage(act.act, context, submittedValues(fields)), 409)
  }
  const command = { proposalId, expectedProposalHead, ...read.success }
  return yield* runProposalCommandAsPerson(visitor.person, request, command).pipe(
    Effect.flatMap(({ emailUpdate }) => {
      const done = seeOther(proposalPath(proposalId))
      return emailUpdate === "FAILED" ? rememberFailedEmail(done, visitor, proposalId) : Effect.succeed(done)
    }),
    Effect.catchTag("Refusal", (refused) =>
      isShownOnPage(refused)
        ? // The proposal is read again: the refusal may depend on a state that the form did not show.
          Effect.map(readProposalPageModel(visitor, proposalId), (current) => {
            const now = { visitor, model: current }
            return pageResponse(
              refused.code === "STALE_PROPOSAL_HEAD"
                ? staleProposalPage(act.act, now, { expectedProposalHead, fields })
                : refusedProposalPage(now, { title, refused, fields }),
              statusOf(refused)
            )
          })
        : Effect.fail(refused)
    )
  )
})

export const headFieldName = "expectedProposalHead"
export const isProposalHead = Schema.is(Digest)

/** Other hidden fields of the page; each occurs at most once. */
const hiddenFields = ["confirmationDigest", "organizationId"]

/** Extracts the shown head; a form without it was not rendered by this service. */
const takeShownHead = (form: FormSubmission) => {
  const { [headFieldName]: expectedProposalHead, ...fields } = form.fields
  const isOurs = hiddenFields.every((name) => fields[name] === undefined || typeof fields[name] === "string")
  return isOurs && isProposalHead(expectedProposalHead)
    ? Effect.succeed({ expectedProposalHead, rest: { ...form, fields } })
    : refuse("INVALID_REQUEST", { detail: "The form was not sent as its page shows it." })
}
