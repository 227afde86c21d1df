/**
 * The page of one command on a proposal, with its form. The form carries the head that was shown, so that a person
 * never decides on a version that the page did not show.
 */
import { Effect, Layer, Result, Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { ProposalCommand } from "../proposals/decide.ts"
import { runProposalCommandAsPerson } from "../proposals/person-operations.ts"
import { wasCommitted } from "../replay/replay.ts"
import { Digest } from "../vocabulary/ids.ts"
import { refusal, refuse, statusOf, type Refused } from "../vocabulary/refusals.ts"
import { pathId } from "./address.ts"
import { emptyForm, form, hidden, type FormState } from "./fields.ts"
import type { SentForm } from "./form.ts"
import type { Content } from "./html.ts"
import { page } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import { isShownRefused } from "./project-act-refused.ts"
import { keepUntold } from "./project-untold.ts"
import { written } from "./project-written.ts"
import {
  changedOnProposal,
  closedOnProposal,
  isOpenOnProposal,
  isTheirsOnProposal,
  refusedOnProposal,
  type LookingAtProposal
} from "./proposal-act-refused.ts"
import { proposalPath, titledProposal } from "./proposal-identity.ts"
import { orNeedsOrganization } from "./proposal-outside.ts"
import { readSeenProposal } from "./proposal-seen.ts"
import { proposalActWords, type ProposalAct } from "./proposal-words.ts"
import { entered, newRequestId, requestIdField, requestOf, takeRequestId } from "./request-form.ts"
import { pageResponse, seeOther } from "./response.ts"
import { signedInForm, signedInPage } from "./signed-in.ts"
import type { Visitor } from "./visitor.ts"

/** The decoded decision. */
export interface DecidedOnProposal {
  readonly command: ProposalCommand
  /** The organization, where a recipient has to choose one. */
  readonly organizationId?: string
}

export interface ProposalActPage<R> {
  readonly act: ProposalAct
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
  /** The content before the form, and the fields of the form. */
  readonly show: (context: LookingAtProposal, state: FormState) => Effect.Effect<ShownAct, Refused, R>
  readonly read: (
    given: LookingAtProposal & { readonly requestId: string },
    form: SentForm
  ) => Effect.Effect<Result.Result<DecidedOnProposal, FormState>, Refused, R>
}

export interface ShownAct {
  readonly before: Content
  readonly fields: Content
  readonly submitLabel: string
}

export const proposalActPages = <R>(act: ProposalActPage<R>) => {
  const address = `/workspace/proposals/:proposalId/${proposalActWords[act.act].path}` satisfies HttpRouter.PathInput
  return Layer.merge(
    signedInPage(address, (visitor) =>
      Effect.gen(function* () {
        const model = yield* readSeenProposal(visitor, yield* pathId("proposalId", "proposal"))
        const context = { visitor, model }
        if (!isOpenOnProposal(model, act.act)) return pageResponse(closedOnProposal(act.act, context))
        const sent = { state: emptyForm, requestId: yield* newRequestId }
        return pageResponse(yield* openPage(act, context, sent))
      }).pipe(orNeedsOrganization(visitor))
    ),
    signedInForm(address, (visitor, sent) => take(act, visitor, sent).pipe(orNeedsOrganization(visitor)))
  )
}

interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

const openPage = Effect.fnUntraced(function* <R>(
  act: ProposalActPage<R>,
  context: LookingAtProposal,
  { state, requestId }: PageForm
) {
  const { visitor, model } = context
  const { before, fields, submitLabel } = yield* act.show(context, state)
  const { name, path } = proposalActWords[act.act]
  return page(
    { title: name, viewer: visitor.viewer, place: "proposals", problems: state.problems },
    titledProposal(model),
    before,
    form(
      {
        action: `${proposalPath(model.proposalId)}/${path}`,
        formToken: visitor.viewer.formToken,
        submitLabel,
        ...(act.isDangerous === true ? { isDangerous: true } : {})
      },
      requestIdField(requestId),
      hidden(shownHead, model.view.proposal.proposalHead),
      fields
    ),
    paragraph(linkTo(proposalPath(model.proposalId), "Go to the proposal"))
  )
})

const take = Effect.fnUntraced(function* <R>(act: ProposalActPage<R>, visitor: Visitor, sent: SentForm) {
  const proposalId = yield* pathId("proposalId", "proposal")
  const { requestId, form } = yield* takeRequestId(sent)
  const { expectedProposalHead, rest } = yield* takeShownHead(form)
  const model = yield* readSeenProposal(visitor, proposalId)
  const context = { visitor, model }
  const { fields } = rest
  const request = requestOf(visitor, requestId, act.operation, { pathIds: [proposalId], values: entered(form) })
  // A replay is answered before any check against the current proposal.
  if (yield* wasCommitted(request)) return seeOther(proposalPath(proposalId))
  const title = proposalActWords[act.act].name
  if (!isTheirsOnProposal(model, act.act)) {
    const refused = refusal("FORBIDDEN")
    return pageResponse(refusedOnProposal(context, { title, refused, fields }), statusOf(refused))
  }
  const read = yield* act.read({ ...context, requestId }, rest)
  if (Result.isFailure(read)) {
    // The values were entered for an older state: the person reads the newest one first.
    if (model.view.proposal.proposalHead !== expectedProposalHead) {
      return pageResponse(changedOnProposal(act.act, context, { expectedProposalHead, fields }), 409)
    }
    return isOpenOnProposal(model, act.act)
      ? pageResponse(yield* openPage(act, context, { state: read.failure, requestId }), 400)
      : pageResponse(closedOnProposal(act.act, context, written(fields)), 409)
  }
  const command = { proposalId, expectedProposalHead, ...read.success }
  return yield* runProposalCommandAsPerson(visitor.person, request, command).pipe(
    Effect.flatMap(({ emailUpdate }) => {
      const done = seeOther(proposalPath(proposalId))
      return emailUpdate === "FAILED" ? keepUntold(done, visitor, proposalId) : Effect.succeed(done)
    }),
    Effect.catchTag("Refused", (refused) =>
      isShownRefused(refused)
        ? // The proposal is read again: the refusal may depend on a state that the form did not show.
          Effect.map(readSeenProposal(visitor, proposalId), (current) => {
            const now = { visitor, model: current }
            return pageResponse(
              refused.code === "STALE_PROPOSAL_HEAD"
                ? changedOnProposal(act.act, now, { expectedProposalHead, fields })
                : refusedOnProposal(now, { title, refused, fields }),
              statusOf(refused)
            )
          })
        : Effect.fail(refused)
    )
  )
})

export const shownHead = "expectedProposalHead"
export const isHead = Schema.is(Digest)

/** Other hidden fields of the page; each occurs at most once. */
const hiddenFields = ["confirmationDigest", "organizationId"]

/** Extracts the shown head; a form without it was not rendered by this service. */
const takeShownHead = (form: SentForm) => {
  const { [shownHead]: expectedProposalHead, ...fields } = form.fields
  const isOurs = hiddenFields.every((name) => fields[name] === undefined || typeof fields[name] === "string")
  return isOurs && isHead(expectedProposalHead)
    ? Effect.succeed({ expectedProposalHead, rest: { ...form, fields } })
    : refuse("INVALID_REQUEST", { detail: "The form was not sent as its page shows it." })
}
