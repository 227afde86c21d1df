/** The two steps of writing a version: the form and the preview. The entered values are carried in the form itself. */
import { Effect, Result } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { ProposalInput } from "../../proposals/proposal.ts"
import { currentDocuments } from "../../projects/legal.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { form, hidden, type FormState, type Problem } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, notice, paragraph } from "../kit/parts.ts"
import { proposalRefusalText } from "./labels.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { addRowSteps, stepName } from "../agreements/form.ts"
import { editStep, previewDigestName } from "../agreements/preview.ts"
import { addRow, countRows, foreignFormDetail } from "../agreements/rows.ts"
import { pastDateProblems, type TermsInput } from "../agreements/values.ts"
import type { ProposalChoices } from "./choices.ts"
import { proposalFields } from "./form.ts"
import { proposalsPath } from "./path.ts"
import { proposalPreviewDigest, showProposalPreview, type ProposalPreview } from "./preview.ts"
import { decodeProposal, recipientName, type DecodedProposal } from "./values.ts"

/** The parameters of the pages on which a version is written. */
export interface WritingPage {
  readonly visitor: Visitor
  /** The path of the page and of its form. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly choices: ProposalChoices
  /** Hidden fields besides the terms. */
  readonly carried: Readonly<Record<string, string>>
  /** The content before the form. */
  readonly before: Content
  /** Terms that are not in the form, such as the specification. */
  readonly pinned: Pick<TermsInput, "specification">
  /** The description of the effect. */
  readonly effect: Content
  readonly commitLabel: string
}

export const showProposalForm = (
  { visitor, path, title, choices, carried, before }: WritingPage,
  state: FormState,
  requestId: string,
  message: Content = null
): string =>
  page(
    { title, viewer: visitor.viewer, place: "proposals", problems: state.problems },
    message,
    before,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: "Continue to the preview" },
      requestIdField(requestId),
      Object.entries(carried).map(([name, value]) => hidden(name, value)),
      proposalFields(state, choices, path)
    )
  )

export interface ProposalSubmission {
  readonly requestId: string
  /** The terms and the step, without the hidden fields. */
  readonly form: FormSubmission
}

/**
 * Handles the form at either step; `keep` saves the version and returns the redirect. The caller has already answered
 * replays, before the form is validated again.
 */
export const handleWritingStep = <R, A>(
  writing: WritingPage,
  { requestId, form: sent }: ProposalSubmission,
  keep: (input: ProposalInput) => Effect.Effect<A, Refusal, R>
) =>
  Effect.gen(function* () {
    const { [stepName]: step, [previewDigestName]: shown, ...fields } = sent.fields
    const again = (state: FormState, status = 200) =>
      Effect.succeed(pageResponse(showProposalForm(writing, state, requestId), status))
    if (step !== undefined) return yield* again({ sent: yield* fieldsAt(step, fields), problems: [] })
    const decoded = yield* decodeProposal(writing.choices, { ...sent, fields })
    if (Result.isFailure(decoded)) return yield* again(decoded.failure, 400)
    const terms = { ...decoded.success.terms, ...writing.pinned }
    const previewed = { written: { ...decoded.success, terms }, documents: yield* currentDocuments, fields, requestId }
    if (shown === undefined) {
      const problems = pastDateProblems(terms, yield* currentTime)
      if (problems.length > 0) return yield* again({ sent: fields, problems }, 400)
      return pageResponse(showProposalPreview(writing, previewed))
    }
    if (shown !== proposalPreviewDigest(writing, previewed)) {
      const notice = changedNotice("This differs from the previous page.")
      return pageResponse(showProposalPreview(writing, { ...previewed, notice }), 409)
    }
    return yield* keep(inputFrom(previewed)).pipe(
      Effect.catchTag("Refusal", (refused) =>
        respondToRefusal(writing, previewed, refused, (state) => again(state, statusOf(refused)))
      )
    )
  })

/** The fields, with the requested row added. */
const fieldsAt = (step: FormSubmission["fields"][string], fields: FormSubmission["fields"]) => {
  const counts = countRows(fields)
  const adding = (["criteria", "requirements"] as const).find((kind) => step === addRowSteps[kind])
  if (counts === undefined || (adding === undefined && step !== editStep)) {
    return refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  }
  return Effect.succeed(adding === undefined ? fields : addRow(fields, adding, counts))
}

const inputFrom = ({ written, documents }: ProposalPreview): ProposalInput => ({
  ...written,
  terms: { ...written.terms, legalContext: { documents } }
})

/** Entered values are preserved: the refusal is shown at the field that corrects it, or in the preview. */
const respondToRefusal = Effect.fnUntraced(function* <E, R>(
  writing: WritingPage,
  previewed: ProposalPreview,
  refused: Refusal,
  again: (state: FormState) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const status = statusOf(refused)
  if (status !== 409) return yield* Effect.fail(refused)
  const problem = problemOf(refused, writing, previewed.written)
  if (problem !== undefined) return yield* again({ sent: previewed.fields, problems: [problem] })
  const isUsed = refused.code === "REQUEST_ID_CONFLICT"
  // The request id was used: saving again creates another version.
  const requestId = isUsed ? yield* newRequestId : previewed.requestId
  const message = isUsed ? requestIdUsedNotice : changedNotice(untrusted(proposalRefusalText(refused)))
  return pageResponse(showProposalPreview(writing, { ...previewed, requestId, notice: message }), status)
})

const requestIdUsedNotice = notice(
  "warning",
  paragraph(
    "This form was already used to save something else; see your ",
    linkTo(proposalsPath, "proposals"),
    ". Save this only if you want both."
  )
)

const changedNotice = (what: Content): Content =>
  notice("warning", paragraph(what, " Nothing was done: read this page and decide again."))

/** The field at which a refusal is corrected. */
const problemOf = (
  refused: Refusal,
  { visitor }: WritingPage,
  { terms, recipientActorId }: DecodedProposal
): Problem | undefined => {
  switch (refused.code) {
    case "DEADLINE_NOT_FUTURE":
      return refused.facts.detail === undefined
        ? { field: "deadline", message: "The delivery date lies in the past." }
        : { field: "agreementSignBy", message: "The date for signing the agreement lies in the past." }
    case "UNKNOWN_SUPPLIER":
      return {
        field: "supplierActorId",
        message: "Choose a member of your organization as representative of the supplier."
      }
    case "SAME_PARTY": {
      const isRecipient = [visitor.person.personId, terms.supplierActorId].includes(recipientActorId)
      return {
        field: isRecipient ? recipientName : terms.signing === undefined ? "supplierActorId" : "counterparty",
        message: "Buyer and supplier must be different persons, also as signers."
      }
    }
    default:
      return undefined
  }
}
