/**
 * The page of one command on a project, with its form. The form carries the head that was shown, so that a person never
 * decides on a state that the page did not show.
 */
import { Effect, Layer, Result, Schema } from "effect"
import type { HttpRouter } from "effect/http"
import type { Act } from "../../projects/moves.ts"
import type { Command } from "../../projects/decide.ts"
import { runCommandAsPerson } from "../../projects/person-operations.ts"
import { wasCommitted } from "../../replay/idempotency.ts"
import { Digest } from "../../vocabulary/ids.ts"
import { errorBody, refusal, refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { unavailablePage } from "./unavailable-page.ts"
import { emptyForm, form, hidden, type FormState } from "../kit/fields.ts"
import type { FormSubmission } from "../kit/form.ts"
import type { Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { staleProjectPage, isShownOnPage, refusedCommandPage } from "./command-refused.ts"
import { respondAfterCommand } from "./after-command.ts"
import { titleWithIdentity } from "./identity.ts"
import { isAvailable } from "./next-action.ts"
import { readProjectPageModel, type ProjectPageModel } from "./read-model.ts"
import { submittedFields, newRequestId, requestIdField, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The person and the project of a page. */
export interface ProjectPageContext {
  readonly visitor: Visitor
  readonly model: ProjectPageModel
}

/** The members of every command's input, besides the decision itself. */
export interface CommandFormContext extends ProjectPageContext {
  readonly requestId: string
  readonly expectedEventHash: string
  readonly agreementDigest: string
}

/** The decoded decision. */
export interface CommandDecision {
  readonly command: Command
  /** The organization, where a supplier has to choose one. */
  readonly organizationId?: string
}

export interface CommandPage<R> {
  /** The last segment of the page's path. */
  readonly path: string
  readonly title: string
  /** The page is available where one of these acts is. */
  readonly acts: ReadonlyArray<Act>
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  readonly submitLabel: string
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
  /** The content before the form, and the fields of the form. */
  readonly show: (context: ProjectPageContext, state: FormState) => Effect.Effect<CommandPageContent, Refusal, R>
  readonly read: (
    given: CommandFormContext,
    form: FormSubmission
  ) => Effect.Effect<Result.Result<CommandDecision, FormState>, Refusal, R>
  /** The field at which a refusal is shown, by refusal code. */
  readonly refusedAt?: { readonly [code: string]: string }
}

export interface CommandPageContent {
  readonly before?: Content
  /** Absent where nothing can be chosen, and hence no form is shown. */
  readonly fields?: Content
  /** Overrides the label of the page. */
  readonly submitLabel?: string
}

export const commandPage = <R>(act: CommandPage<R>) => {
  const address = `/workspace/projects/:projectId/${act.path}` satisfies HttpRouter.PathInput
  return Layer.merge(
    signedInPage(address, (visitor) =>
      Effect.gen(function* () {
        const model = yield* readProjectPageModel(visitor, yield* pathId("projectId", "delivery"))
        if (!isAvailable(model, act.acts)) return pageResponse(unavailablePage(act, { visitor, model }))
        const sent = { state: emptyForm, requestId: yield* newRequestId }
        return pageResponse(yield* openPage(act, { visitor, model }, sent))
      })
    ),
    signedInForm(address, (visitor, sent) => take(act, visitor, sent))
  )
}

interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

const openPage = Effect.fnUntraced(function* <R>(
  act: CommandPage<R>,
  context: ProjectPageContext,
  { state, requestId }: PageForm
) {
  const { visitor, model } = context
  const { before, fields, submitLabel = act.submitLabel } = yield* act.show(context, state)
  const problems = fields === undefined ? [] : state.problems
  return page(
    { title: act.title, viewer: visitor.viewer, place: "projects", problems },
    titleWithIdentity(model.named),
    before,
    fields === undefined
      ? null
      : form(
          {
            action: `/workspace/projects/${model.projectId}/${act.path}`,
            formToken: visitor.viewer.formToken,
            submitLabel,
            ...(act.isDangerous === true ? { isDangerous: true } : {})
          },
          requestIdField(requestId),
          hidden(shownHead, model.project.head),
          fields
        ),
    paragraph(linkTo(projectPath(model.projectId), "Go to the project"))
  )
})

/** Handles a submission of the form. */
const take = Effect.fnUntraced(function* <R>(act: CommandPage<R>, visitor: Visitor, sent: FormSubmission) {
  const projectId = yield* pathId("projectId", "delivery")
  const { requestId, form } = yield* takeRequestId(sent)
  const { expectedEventHash, rest } = yield* takeShownHead(form)
  const model = yield* readProjectPageModel(visitor, projectId)
  const context = { visitor, model }
  const request = requestOf(visitor, requestId, act.operation, { pathIds: [projectId], values: submittedFields(form) })
  // A replay is answered before any check against the current project.
  if (yield* wasCommitted(request)) return seeOther(projectPath(projectId))
  if (!isOwnAct(model, act.acts)) {
    const refused = refusal("FORBIDDEN")
    return pageResponse(refusedCommandPage(act, context, { refused, fields: rest.fields }), statusOf(refused))
  }
  const { agreementDigest, head } = model.project
  const read = yield* act.read({ ...context, requestId, expectedEventHash, agreementDigest }, rest)
  if (Result.isFailure(read)) {
    // The values were entered for an older state: the person reads the newest one first.
    if (head !== expectedEventHash) {
      return pageResponse(staleProjectPage(act, context, { expectedEventHash, fields: rest.fields }), 409)
    }
    return isAvailable(model, act.acts)
      ? pageResponse(yield* openPage(act, context, { state: read.failure, requestId }), 400)
      : pageResponse(unavailablePage(act, context, rest.fields), 409)
  }
  return yield* runCommandAsPerson(visitor.person, request, { projectId, expectedEventHash, ...read.success }).pipe(
    Effect.flatMap((view) => respondAfterCommand(visitor, view)),
    Effect.catchTag("Refusal", (refused) =>
      respondToRefusal(act, visitor, { refused, requestId, expectedEventHash, form: rest, projectId })
    )
  )
})

const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`

/** True for acts of this person, whether available now or blocked. */
const isOwnAct = ({ view }: ProjectPageModel, acts: ReadonlyArray<Act>): boolean =>
  [...view.availableActions, ...view.blockedActions.map(({ action }) => action)].some((one) => acts.includes(one))

interface RefusedForm {
  readonly refused: Refusal
  readonly projectId: string
  readonly requestId: string
  readonly expectedEventHash: string
  readonly form: FormSubmission
}

/** The project is read again: the refusal may depend on a state that the form did not show. */
const respondToRefusal = Effect.fnUntraced(function* <R>(
  act: CommandPage<R>,
  visitor: Visitor,
  { refused, projectId, requestId, expectedEventHash, form: { fields } }: RefusedForm
) {
  const status = statusOf(refused)
  const field = act.refusedAt?.[refused.code]
  if (!isShownOnPage(refused) && field === undefined) return yield* Effect.fail(refused)
  const context = { visitor, model: yield* readProjectPageModel(visitor, projectId) }
  if (refused.code === "STALE_EVENT_HEAD") {
    return pageResponse(staleProjectPage(act, context, { expectedEventHash, fields }), status)
  }
  if (field === undefined) return pageResponse(refusedCommandPage(act, context, { refused, fields }), status)
  const state = { sent: fields, problems: [{ field, message: fieldMessage(refused) }] }
  return pageResponse(yield* openPage(act, context, { state, requestId }), status)
})

/** The message at the field: the issue where the refusal has one, else its detail. */
const fieldMessage = (refused: Refusal): string => {
  const { detail, issues: [issue] = [] } = errorBody(refused)
  return issue === undefined ? detail : `This ${issue.message}.`
}

const shownHead = "expectedEventHash"
const isDigest = Schema.is(Digest)

/** Other hidden fields of the pages; each occurs at most once. */
const hiddenFields = ["confirmationId", "confirmationDigest", "submissionId", "signedDigest"]

/** Extracts the shown head; a form without it was not rendered by this service. */
const takeShownHead = (form: FormSubmission) => {
  const { [shownHead]: expectedEventHash, ...fields } = form.fields
  const isOurs = hiddenFields.every((name) => fields[name] === undefined || typeof fields[name] === "string")
  return isOurs && typeof expectedEventHash === "string" && isDigest(expectedEventHash)
    ? Effect.succeed({ expectedEventHash, rest: { ...form, fields } })
    : refuse("INVALID_REQUEST", { detail: "The form was not sent as its page shows it." })
}
