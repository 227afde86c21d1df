/**
 * The two steps of making an agreement: the form and the preview. The entered values are carried in the form itself;
 * nothing is stored before the person commits.
 */
import { Effect, Result } from "effect"
import { h } from "preact"
import type { HttpServerResponse } from "effect/http"
import type { CreateInput } from "../../projects/new-project.ts"
import { currentDocuments } from "../../projects/legal.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { errorBody, refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { form, hidden, type FormState, type Problem } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, notice, paragraph } from "../kit/parts.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import type { AgreementChoices } from "./choices.ts"
import { addRowSteps, agreementFields, saveStep, stepName } from "./form.ts"
import {
  confirmationDigestName,
  previewDigest,
  editStep,
  showPreview,
  previewDigestName,
  type AgreementPreview
} from "./preview.ts"
import { addRow, countRows, foreignFormDetail, type RowCounts } from "./rows.ts"
import { draftsPath } from "../drafts/path.ts"
import { decodeAgreement, pastDateProblems, type AgreementInput, type TermsInput } from "./values.ts"

/** The parameters of the pages on which an agreement is drafted. */
export interface DraftingPage {
  readonly visitor: Visitor
  /** The path of the page and of its form. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly choices: AgreementChoices
  readonly isRevision: boolean
  /** Hidden fields besides the terms. */
  readonly carried: Readonly<Record<string, string>>
  /** The content before the form. */
  readonly before: Content
  /** Additional fields at the beginning of the form. */
  readonly firstFields: (state: FormState) => Content
  /** Terms that are not in the form, such as the specification. */
  readonly pinned?: Pick<TermsInput, "specification">
  /** True where the entered values can be saved as a draft. */
  readonly isSaved?: boolean
  /** The description of the effect. */
  readonly effect: Content
  readonly commitLabel: string
}

/** The committed terms. */
export interface CommittedTerms {
  readonly terms: Omit<CreateInput, "requestId">
  readonly reason: string
}

export interface DraftingSubmission {
  readonly requestId: string
  /** The terms and the step, without the hidden fields. */
  readonly form: FormSubmission
}

export const showForm = (
  drafting: DraftingPage,
  state: FormState,
  requestId: string,
  message: Content = null
): string => {
  const { visitor, path, title, choices, carried } = drafting
  return page(
    { title, viewer: visitor.viewer, place: "projects", problems: state.problems },
    message,
    drafting.before,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: "Continue to the preview" },
      requestIdField(requestId),
      Object.entries(carried).map(([name, value]) => hidden(name, value)),
      drafting.firstFields(state),
      agreementFields(state, choices, path),
      drafting.isSaved === true
        ? h("p", null, h("button", { type: "submit", class: "quiet", name: stepName, value: saveStep }, "Save draft"))
        : null
    )
  )
}

/** Handles the form at either step; `commit` makes the agreement and returns the redirect. */
export const handleDraftingStep = <R, A>(
  drafting: DraftingPage,
  { requestId, form: sent }: DraftingSubmission,
  commit: (committed: CommittedTerms) => Effect.Effect<A, Refusal, R>
) =>
  Effect.gen(function* () {
    const {
      [stepName]: step,
      [confirmationDigestName]: confirmationDigest,
      [previewDigestName]: shown,
      ...fields
    } = sent.fields
    const again = (state: FormState, status = 200) =>
      Effect.succeed(pageResponse(showForm(drafting, state, requestId), status))
    if (step === editStep) return yield* again(yield* readableForm(fields))
    const adding = rowKinds.find((kind) => step === addRowSteps[kind])
    if (adding !== undefined) return yield* again(yield* withRow(fields, adding))
    if (step !== undefined) return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    const decoded = yield* decodeAgreement(drafting.choices, drafting.isRevision, { ...sent, fields })
    if (Result.isFailure(decoded)) return yield* again(decoded.failure, 400)
    const { terms, reason } = decoded.success
    const draft = { terms: { ...terms, ...drafting.pinned }, reason }
    const preview = (more: Pick<AgreementPreview, "notice"> = {}, status = 200) =>
      Effect.map(showPreview(drafting, { draft, fields, requestId, ...more }), (html) => pageResponse(html, status))
    if (confirmationDigest === undefined && shown === undefined) {
      const problems = pastDateProblems(draft.terms, yield* currentTime)
      return problems.length > 0 ? yield* again({ sent: fields, problems }, 400) : yield* preview()
    }
    if (typeof confirmationDigest !== "string" || shown !== previewDigest(drafting, draft)) {
      return yield* preview({ notice: changedNotice("This differs from the previous page.") }, 409)
    }
    return yield* commit(yield* committedFrom(draft, confirmationDigest)).pipe(
      Effect.catchTag("Refusal", (refused) =>
        respondToRefusal(drafting, { refused, draft, fields, requestId }, (state) => again(state, statusOf(refused)))
      )
    )
  })

interface CommitRefusal extends Omit<AgreementPreview, "notice"> {
  readonly refused: Refusal
}

/** Entered values are preserved: the refusal is shown at the field that corrects it, or in the preview. */
const respondToRefusal = Effect.fnUntraced(function* <E, R>(
  drafting: DraftingPage,
  { refused, ...previewed }: CommitRefusal,
  again: (state: FormState) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const status = statusOf(refused)
  if (status !== 409) return yield* Effect.fail(refused)
  const problem = problemOf(refused, drafting, previewed)
  if (problem !== undefined) return yield* again({ sent: previewed.fields, problems: [problem] })
  const isUsed = refused.code === "REQUEST_ID_CONFLICT"
  // The request id was used: a further commit makes another agreement.
  const requestId = isUsed ? yield* newRequestId : previewed.requestId
  const message = isUsed ? requestIdUsedNotice(drafting) : changedNotice(refusalText(refused))
  return pageResponse(yield* showPreview(drafting, { ...previewed, requestId, notice: message }), status)
})

const refusalText = (refused: Refusal): Content =>
  refused.code === "CONFIRMATION_DIGEST_STALE" || refused.code === "LEGAL_DOCUMENTS_CHANGED"
    ? "The confirmation has changed since you read it."
    : untrusted(errorBody(refused).detail)

const requestIdUsedNotice = ({ isSaved = false }: DraftingPage): Content =>
  notice(
    "warning",
    isSaved
      ? paragraph(
          "This form was already used to save or commit something else; it is among your ",
          linkTo(draftsPath, "drafts"),
          " or your ",
          linkTo("/workspace/projects", "projects"),
          ". Commit this only if you want both."
        )
      : paragraph(
          "This form was already used to commit something else; it is among your ",
          linkTo("/workspace/projects", "projects"),
          ". Commit this only if you want both."
        )
  )

const rowKinds = ["criteria", "requirements"] as const satisfies ReadonlyArray<keyof RowCounts>

const readableForm = (fields: FormSubmission["fields"]) =>
  countRows(fields) === undefined
    ? refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    : Effect.succeed<FormState>({ sent: fields, problems: [] })

const withRow = (fields: FormSubmission["fields"], kind: keyof RowCounts) => {
  const counts = countRows(fields)
  return counts === undefined
    ? refuse("INVALID_REQUEST", { detail: foreignFormDetail })
    : Effect.succeed<FormState>({ sent: addRow(fields, kind, counts), problems: [] })
}

const changedNotice = (what: Content): Content =>
  notice("warning", paragraph(what, " Nothing was done: read this page and decide again."))

/** The current documents are used; the confirmed digest proves that the person read these. */
const committedFrom = (
  { terms, reason }: AgreementInput,
  confirmationDigest: string
): Effect.Effect<CommittedTerms, never, Documents> =>
  Effect.map(currentDocuments, (documents) => ({
    terms: { ...terms, legalContext: { documents }, confirmationDigest },
    reason
  }))

type Documents = Effect.Services<typeof currentDocuments>

/** The field at which a refusal is corrected. */
const problemOf = (
  refused: Refusal,
  { visitor }: DraftingPage,
  { draft, fields }: Pick<AgreementPreview, "draft" | "fields">
): Problem | undefined => {
  const { detail } = errorBody(refused)
  const { signing } = draft.terms
  const supplier = fields["supplierBy"] === "CONTACT" ? "supplierContact" : "supplierActorId"
  switch (refused.code) {
    case "DEADLINE_NOT_FUTURE":
      return { field: refused.facts.detail === undefined ? "deadline" : "agreementSignBy", message: detail }
    case "UNKNOWN_SUPPLIER":
      return { field: supplier, message: detail }
    case "SAME_PARTY":
      return {
        field: signing?.counterparty === visitor.person.personId ? "counterparty" : supplier,
        message: "Buyer and supplier must be different persons, also as signers."
      }
    case "UNKNOWN_SIGNER":
      return { field: signing?.counterparty === undefined ? "principal" : "counterparty", message: detail }
    default:
      return undefined
  }
}
