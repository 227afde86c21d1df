/**
 * The two steps of a proposal on pages: the form, and the preview of the version as it will be kept. What was entered
 * travels in the form itself.
 */
import { Effect, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { ProposalInput } from "../../proposals/proposal.ts"
import { currentDocuments } from "../../projects/legal.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse, statusOf, type Refused } from "../../vocabulary/refusals.ts"
import { form, hidden, type FormState, type Problem } from "../fields.ts"
import type { SentForm } from "../form.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, notice, paragraph } from "../parts.ts"
import { sayProposalRefused } from "../proposal-words.ts"
import { newRequestId, requestIdField } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import type { Visitor } from "../visitor.ts"
import { addingSteps, stepName } from "./agreements-form.ts"
import { editStep, shownName } from "./agreements-preview.ts"
import { addRow, countRows, notAsShown } from "./agreements-rows.ts"
import { problemsOfTime, type DraftedTerms } from "./agreements-values.ts"
import type { ProposalChoices } from "./proposals-choices.ts"
import { proposalFields } from "./proposals-form.ts"
import { proposalsPath } from "./proposals-path.ts"
import { digestOfPreview, showProposalPreview, type PreviewedProposal } from "./proposals-preview.ts"
import { decodeProposal, recipientName, type WrittenProposal } from "./proposals-values.ts"

/** A version that a person writes: what its pages say around the terms. */
export interface Writing {
  readonly visitor: Visitor
  /** Of the page, and of its form. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly choices: ProposalChoices
  /** What travels with the form beside the terms. */
  readonly carried: Readonly<Record<string, string>>
  /** What the person reads before the form. */
  readonly before: Content
  /** Terms that stand outside the form: what they were written by. */
  readonly pinned: Pick<DraftedTerms, "specification">
  /** What comes of it. */
  readonly effect: Content
  readonly commitLabel: string
}

export const showProposalForm = (
  { visitor, path, title, choices, carried, before }: Writing,
  state: FormState,
  requestId: string,
  said: Content = null
): string =>
  page(
    { title, viewer: visitor.viewer, place: "proposals", problems: state.problems },
    said,
    before,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: "Go on to the preview" },
      requestIdField(requestId),
      Object.entries(carried).map(([name, value]) => hidden(name, value)),
      proposalFields(state, choices, path)
    )
  )

export interface SentProposal {
  readonly requestId: string
  /** The terms and the step, without what is carried. */
  readonly form: SentForm
}

/**
 * Takes the form at either step; `keep` keeps the version and says where the person goes on. What was kept once stays kept,
 * whatever the form would come to by now: whoever calls has asked for that.
 */
export const takeProposalStep = <R, A>(
  writing: Writing,
  { requestId, form: sent }: SentProposal,
  keep: (input: ProposalInput) => Effect.Effect<A, Refused, R>
) =>
  Effect.gen(function* () {
    const { [stepName]: step, [shownName]: shown, ...fields } = sent.fields
    const again = (state: FormState, status = 200) =>
      Effect.succeed(pageResponse(showProposalForm(writing, state, requestId), status))
    if (step !== undefined) return yield* again({ sent: yield* fieldsAt(step, fields), problems: [] })
    const decoded = yield* decodeProposal(writing.choices, { ...sent, fields })
    if (Result.isFailure(decoded)) return yield* again(decoded.failure, 400)
    const terms = { ...decoded.success.terms, ...writing.pinned }
    const previewed = { written: { ...decoded.success, terms }, documents: yield* currentDocuments, fields, requestId }
    if (shown === undefined) {
      const problems = problemsOfTime(terms, yield* currentTime)
      if (problems.length > 0) return yield* again({ sent: fields, problems }, 400)
      return pageResponse(showProposalPreview(writing, previewed))
    }
    if (shown !== digestOfPreview(writing, previewed)) {
      const notice = changedNotice("This is not what the page before showed.")
      return pageResponse(showProposalPreview(writing, { ...previewed, notice }), 409)
    }
    return yield* keep(inputFrom(previewed)).pipe(
      Effect.catchTag("Refused", (refused) =>
        answerRefused(writing, previewed, refused, (state) => again(state, statusOf(refused)))
      )
    )
  })

/** The form as it stands, or with the row that was asked for. */
const fieldsAt = (step: SentForm["fields"][string], fields: SentForm["fields"]) => {
  const counts = countRows(fields)
  const adding = (["criteria", "requirements"] as const).find((kind) => step === addingSteps[kind])
  if (counts === undefined || (adding === undefined && step !== editStep)) {
    return refuse("INVALID_REQUEST", { detail: notAsShown })
  }
  return Effect.succeed(adding === undefined ? fields : addRow(fields, adding, counts))
}

const inputFrom = ({ written, documents }: PreviewedProposal): ProposalInput => ({
  ...written,
  terms: { ...written.terms, legalContext: { documents } }
})

/** What was entered is kept: at the field that mends it, or in the preview with what stands in the way. */
const answerRefused = Effect.fnUntraced(function* <E, R>(
  writing: Writing,
  previewed: PreviewedProposal,
  refused: Refused,
  again: (state: FormState) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const status = statusOf(refused)
  if (status !== 409) return yield* Effect.fail(refused)
  const problem = problemOf(refused, writing, previewed.written)
  if (problem !== undefined) return yield* again({ sent: previewed.fields, problems: [problem] })
  const isUsed = refused.code === "REQUEST_ID_CONFLICT"
  // The id of a form that was sent before is spent: what is kept from here on is another version.
  const requestId = isUsed ? yield* newRequestId : previewed.requestId
  const said = isUsed ? usedNotice : changedNotice(untrusted(sayProposalRefused(refused)))
  return pageResponse(showProposalPreview(writing, { ...previewed, requestId, notice: said }), status)
})

const usedNotice = notice(
  "warning",
  paragraph(
    "From this form something else was kept before; see your ",
    linkTo(proposalsPath, "proposals"),
    ". Keep this only if you want both."
  )
)

const changedNotice = (what: Content): Content =>
  notice("warning", paragraph(what, " Nothing was done: read this page, and decide again."))

/** A refusal that the person mends in the form, at its field. */
const problemOf = (
  refused: Refused,
  { visitor }: Writing,
  { terms, recipientActorId }: WrittenProposal
): Problem | undefined => {
  switch (refused.code) {
    case "DEADLINE_NOT_FUTURE":
      return refused.facts.detail === undefined
        ? { field: "deadline", message: "The delivery date lies in the past." }
        : { field: "agreementSignBy", message: "The date for signing the agreement lies in the past." }
    case "UNKNOWN_SUPPLIER":
      return { field: "supplierActorId", message: "Choose a member of your organization who stands for the supplier." }
    case "SAME_PARTY": {
      const isRecipient = [visitor.person.personId, terms.supplierActorId].includes(recipientActorId)
      return {
        field: isRecipient ? recipientName : terms.signing === undefined ? "supplierActorId" : "counterparty",
        message: "Buyer and supplier are different persons, also where they sign."
      }
    }
    default:
      return undefined
  }
}
