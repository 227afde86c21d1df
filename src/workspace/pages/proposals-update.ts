/** Writes a new version of a proposal, which replaces the current one. */
import { Effect, Layer } from "effect"
import { runProposalCommandAsPerson } from "../../proposals/person-operations.ts"
import { wasCommitted } from "../../replay/replay.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import type { SentForm } from "../form.ts"
import { linkTo, notice, paragraph, section } from "../parts.ts"
import { isHead, shownHead } from "../proposal-act.ts"
import {
  closedOnProposal,
  eventsSince,
  happenedSince,
  isOpenOnProposal,
  isTheirsOnProposal
} from "../proposal-act-refused.ts"
import { proposalPath, titledProposal } from "../proposal-identity.ts"
import { orNeedsOrganization } from "../proposal-outside.ts"
import { readSeenProposal, type SeenProposal } from "../proposal-seen.ts"
import { proposedTerms } from "../proposal-terms.ts"
import { proposalActWords } from "../proposal-words.ts"
import { entered, newRequestId, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Fields } from "../urlencoded.ts"
import type { Visitor } from "../visitor.ts"
import { stepName } from "./agreements-form.ts"
import { shownName } from "./agreements-preview.ts"
import { notAsShown } from "./agreements-rows.ts"
import { readProposalChoices, type ProposalChoices } from "./proposals-choices.ts"
import { fieldsFromVersion } from "./proposals-prefill.ts"
import { showProposalForm, takeProposalStep, type Writing } from "./proposals-steps.ts"
import { goOnAnew, typedTerms } from "./proposals-typed.ts"

const act = "UPDATE_PROPOSAL"
const address = "/workspace/proposals/:proposalId/update"

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readSeenProposal(visitor, yield* pathId("proposalId", "proposal"))
    if (!isOpenOnProposal(model, act)) return pageResponse(closedOnProposal(act, { visitor, model }))
    const choices = yield* readProposalChoices(visitor.person, model.view.organizationId)
    const state = { sent: fieldsFromVersion(model, choices), problems: [] }
    return pageResponse(showProposalForm(writingFor(visitor, model, choices), state, yield* newRequestId))
  }).pipe(orNeedsOrganization(visitor))
)

const writingFor = (visitor: Visitor, model: SeenProposal, choices: ProposalChoices): Writing => {
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
    title: proposalActWords[act].name,
    choices,
    carried: { [shownHead]: proposal.proposalHead },
    pinned: specification === undefined ? {} : { specification },
    before: [
      titledProposal(model),
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
    const { [shownHead]: expectedProposalHead, ...fields } = form.fields
    if (!isHead(expectedProposalHead)) return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
    const request = requestOf(visitor, requestId, "updateProposalAsPerson", {
      pathIds: [proposalId],
      values: entered(form)
    })
    if (yield* wasCommitted(request)) return seeOther(proposalPath(proposalId))
    const model = yield* readSeenProposal(visitor, proposalId)
    if (model.view.role !== "SUPPLIER") return yield* refuse("FORBIDDEN")
    if (!isOpenOnProposal(model, act))
      return pageResponse(unavailable(visitor, model, fields, yield* newRequestId), 409)
    const choices = yield* readProposalChoices(visitor.person, model.view.organizationId)
    const { proposalHead, version } = model.view.proposal
    // A version that was not shown cannot be replaced; rows can still be added to the form.
    if (fields[stepName] === undefined && proposalHead !== expectedProposalHead) {
      return pageResponse(formOnNewest(visitor, model, { choices, expectedProposalHead, fields, requestId }), 409)
    }
    const rest: SentForm = { ...form, fields }
    const writing = { ...writingFor(visitor, model, choices), carried: { [shownHead]: expectedProposalHead } }
    return yield* takeProposalStep(writing, { requestId, form: rest }, (input) =>
      runProposalCommandAsPerson(visitor.person, request, {
        proposalId,
        expectedProposalHead,
        command: { kind: "UPDATE", input: { requestId, expectedVersion: version, ...input } }
      }).pipe(Effect.as(seeOther(proposalPath(proposalId))))
    )
  }).pipe(orNeedsOrganization(visitor))
)

/** Ended meanwhile, or no longer permitted: the entered values are shown. */
const unavailable = (visitor: Visitor, model: SeenProposal, fields: Fields, requestId: string): string =>
  closedOnProposal(act, { visitor, model }, [
    typedTerms(fields),
    isTheirsOnProposal(model, act) ? goOnAnew(visitor.viewer, model.view.organizationId, { requestId, fields }) : null
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
  model: SeenProposal,
  { choices, expectedProposalHead, fields, requestId }: OutdatedForm
): string => {
  const { [shownName]: _, ...terms } = fields
  const isRewritten = eventsSince(model, expectedProposalHead).some(({ kind }) => kind === "UPDATE")
  return showProposalForm(writingFor(visitor, model, choices), { sent: terms, problems: [] }, requestId, [
    notice(
      "warning",
      paragraph(
        "The proposal has changed meanwhile. Nothing was done: read what is new, then continue here. ",
        linkTo(proposalPath(model.proposalId), "See the current proposal")
      )
    ),
    happenedSince(model, expectedProposalHead),
    isRewritten
      ? section(
          `Version ${model.view.proposal.version}, the current one`,
          paragraph("Your entries are further down. Saving them replaces this whole version:"),
          proposedTerms(model)
        )
      : null
  ])
}

export const proposalUpdate = Layer.merge(show, take)
