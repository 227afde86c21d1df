/**
 * The two steps of an agreement on pages: the form, and the preview of everything as it will be agreed. What was entered
 * travels in the form itself; nothing is kept here until the person commits it.
 */
import { Effect, Result } from "effect"
import { h } from "preact"
import type { HttpServerResponse } from "effect/http"
import type { CreateInput } from "../../projects/new-project.ts"
import { currentDocuments } from "../../projects/legal.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { errorBody, refuse, statusOf, type Refused } from "../../vocabulary/refusals.ts"
import { form, hidden, type FormState, type Problem } from "../fields.ts"
import type { SentForm } from "../form.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, notice, paragraph } from "../parts.ts"
import { newRequestId, requestIdField } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import type { Visitor } from "../visitor.ts"
import type { AgreementChoices } from "./agreements-choices.ts"
import { addingSteps, agreementFields, saveStep, stepName } from "./agreements-form.ts"
import {
  confirmationName,
  digestOfShown,
  editStep,
  showPreview,
  shownName,
  type Previewed
} from "./agreements-preview.ts"
import { addRow, countRows, notAsShown, type RowCounts } from "./agreements-rows.ts"
import { draftsPath } from "./drafts-path.ts"
import { decodeDraft, problemsOfTime, type Draft, type DraftedTerms } from "./agreements-values.ts"

/** An agreement that a person draws up: what its pages say around the terms. */
export interface Drafting {
  readonly visitor: Visitor
  /** Of the page, and of its form. */
  readonly path: `/workspace/${string}`
  readonly title: string
  readonly choices: AgreementChoices
  readonly isRevision: boolean
  /** What travels with the form beside the terms. */
  readonly carried: Readonly<Record<string, string>>
  /** What the person reads before the form. */
  readonly before: Content
  /** The first fields of the form. */
  readonly firstFields: (state: FormState) => Content
  /** Terms that stand outside the form: what they were written by. */
  readonly pinned?: Pick<DraftedTerms, "specification">
  /** True where what was entered so far can be kept as a draft. */
  readonly isSaved?: boolean
  /** What comes of it. */
  readonly effect: Content
  readonly commitLabel: string
}

/** What the person commits. */
export interface Committed {
  readonly terms: Omit<CreateInput, "requestId">
  readonly reason: string
}

export interface Sent {
  readonly requestId: string
  /** The terms and the step, without what is carried. */
  readonly form: SentForm
}

export const showForm = (drafting: Drafting, state: FormState, requestId: string, said: Content = null): string => {
  const { visitor, path, title, choices, carried } = drafting
  return page(
    { title, viewer: visitor.viewer, place: "projects", problems: state.problems },
    said,
    drafting.before,
    form(
      { action: path, formToken: visitor.viewer.formToken, submitLabel: "Go on to the preview" },
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

/** Takes the form at either step; `commit` makes the agreement and says where the person goes on. */
export const takeStep = <R, A>(
  drafting: Drafting,
  { requestId, form: sent }: Sent,
  commit: (committed: Committed) => Effect.Effect<A, Refused, R>
) =>
  Effect.gen(function* () {
    const { [stepName]: step, [confirmationName]: confirmed, [shownName]: shown, ...fields } = sent.fields
    const again = (state: FormState, status = 200) =>
      Effect.succeed(pageResponse(showForm(drafting, state, requestId), status))
    if (step === editStep) return yield* again(yield* readableForm(fields))
    const adding = addings.find((kind) => step === addingSteps[kind])
    if (adding !== undefined) return yield* again(yield* withRow(fields, adding))
    if (step !== undefined) return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
    const decoded = yield* decodeDraft(drafting.choices, drafting.isRevision, { ...sent, fields })
    if (Result.isFailure(decoded)) return yield* again(decoded.failure, 400)
    const { terms, reason } = decoded.success
    const draft = { terms: { ...terms, ...drafting.pinned }, reason }
    const preview = (more: Pick<Previewed, "notice"> = {}, status = 200) =>
      Effect.map(showPreview(drafting, { draft, fields, requestId, ...more }), (html) => pageResponse(html, status))
    if (confirmed === undefined && shown === undefined) {
      const problems = problemsOfTime(draft.terms, yield* currentTime)
      return problems.length > 0 ? yield* again({ sent: fields, problems }, 400) : yield* preview()
    }
    if (typeof confirmed !== "string" || shown !== digestOfShown(drafting, draft)) {
      return yield* preview({ notice: changedNotice("This is not what the page before showed.") }, 409)
    }
    return yield* commit(yield* committedFrom(draft, confirmed)).pipe(
      Effect.catchTag("Refused", (refused) =>
        answerRefused(drafting, { refused, draft, fields, requestId }, (state) => again(state, statusOf(refused)))
      )
    )
  })

interface RefusedCommit extends Omit<Previewed, "notice"> {
  readonly refused: Refused
}

/** What was entered is kept: at the field that mends it, or in the preview with what stands in the way. */
const answerRefused = Effect.fnUntraced(function* <E, R>(
  drafting: Drafting,
  { refused, ...previewed }: RefusedCommit,
  again: (state: FormState) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) {
  const status = statusOf(refused)
  if (status !== 409) return yield* Effect.fail(refused)
  const problem = problemOf(refused, drafting, previewed)
  if (problem !== undefined) return yield* again({ sent: previewed.fields, problems: [problem] })
  const isUsed = refused.code === "REQUEST_ID_CONFLICT"
  // The id of a form that was committed before is spent: what is committed from here on is another agreement.
  const requestId = isUsed ? yield* newRequestId : previewed.requestId
  const said = isUsed ? usedNotice(drafting) : changedNotice(saidOf(refused))
  return pageResponse(yield* showPreview(drafting, { ...previewed, requestId, notice: said }), status)
})

const saidOf = (refused: Refused): Content =>
  refused.code === "CONFIRMATION_DIGEST_STALE" || refused.code === "LEGAL_DOCUMENTS_CHANGED"
    ? "What you confirm is not what it was when you read it."
    : untrusted(errorBody(refused).detail)

const usedNotice = ({ isSaved = false }: Drafting): Content =>
  notice(
    "warning",
    isSaved
      ? paragraph(
          "From this form something else was saved or committed before; it is among your ",
          linkTo(draftsPath, "drafts"),
          " or your ",
          linkTo("/workspace/projects", "projects"),
          ". Commit this only if you want both."
        )
      : paragraph(
          "From this form something else was committed before; it is among your ",
          linkTo("/workspace/projects", "projects"),
          ". Commit this only if you want both."
        )
  )

const addings = ["criteria", "requirements"] as const satisfies ReadonlyArray<keyof RowCounts>

const readableForm = (fields: SentForm["fields"]) =>
  countRows(fields) === undefined
    ? refuse("INVALID_REQUEST", { detail: notAsShown })
    : Effect.succeed<FormState>({ sent: fields, problems: [] })

const withRow = (fields: SentForm["fields"], kind: keyof RowCounts) => {
  const counts = countRows(fields)
  return counts === undefined
    ? refuse("INVALID_REQUEST", { detail: notAsShown })
    : Effect.succeed<FormState>({ sent: addRow(fields, kind, counts), problems: [] })
}

const changedNotice = (what: Content): Content =>
  notice("warning", paragraph(what, " Nothing was done: read this page, and decide again."))

/** The documents are the current ones: that the person read these, the digest that they confirmed says. */
const committedFrom = (
  { terms, reason }: Draft,
  confirmationDigest: string
): Effect.Effect<Committed, never, Documents> =>
  Effect.map(currentDocuments, (documents) => ({
    terms: { ...terms, legalContext: { documents }, confirmationDigest },
    reason
  }))

type Documents = Effect.Services<typeof currentDocuments>

/** A refusal that the person mends in the form, at its field. */
const problemOf = (
  refused: Refused,
  { visitor }: Drafting,
  { draft, fields }: Pick<Previewed, "draft" | "fields">
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
        message: "Buyer and supplier are different persons, also where they sign."
      }
    case "UNKNOWN_SIGNER":
      return { field: signing?.counterparty === undefined ? "principal" : "counterparty", message: detail }
    default:
      return undefined
  }
}
