/** Pauses and resumes the agents of a subject, by the form on its page. */
import { Effect, Layer, Result } from "effect"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormState } from "../kit/fields.ts"
import { decodeFields } from "../kit/form-field.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showRefused } from "./outcome-pages.ts"
import { reasonField } from "./reason-field.ts"
import { sectionForm, subjectPath, type HintedModel, type Subject } from "./subject.ts"

/** A form on a subject's page: empty, or as it was submitted. */
export interface SectionForm {
  readonly state: FormState
  readonly requestId: string
}

type Change = "pause" | "resume"

interface Automation<R> {
  /** The operation in the fingerprint of idempotent requests. */
  readonly operationOf: (change: Change) => string
  readonly run: (
    change: Change,
    person: Visitor["person"],
    request: IdempotentRequest,
    values: { readonly id: string; readonly reason: string }
  ) => Effect.Effect<unknown, Refusal, R>
  /** The subject's page, with the problems of the form. */
  readonly showAgain: (visitor: Visitor, id: string, failed: SectionForm) => Effect.Effect<string, Refusal, R>
}

const titles = { pause: "Pause agents", resume: "Resume agents" }

export const automationFields = { reason: reasonField("Both parties and their agents read it.", 2) }

export const automationForms = <Model extends HintedModel, Act extends string, Command, S, R>(
  subject: Subject<Model, Act, Command, S>,
  automation: Automation<R>
) => Layer.merge(automationForm(subject, automation, "pause"), automationForm(subject, automation, "resume"))

const automationForm = <Model extends HintedModel, Act extends string, Command, S, R>(
  subject: Subject<Model, Act, Command, S>,
  { operationOf, run, showAgain }: Automation<R>,
  change: Change
) =>
  sectionForm(
    subject,
    `/${change}`,
    Effect.fnUntraced(function* (visitor, id, sent) {
      const { requestId, form } = yield* takeRequestId(sent)
      const decoded = yield* decodeFields(automationFields, form)
      if (Result.isFailure(decoded)) {
        return pageResponse(yield* showAgain(visitor, id, { state: decoded.failure, requestId }), 400)
      }
      const { reason } = decoded.success
      const request = requestOf(visitor, requestId, operationOf(change), { pathIds: [id], values: { reason } })
      return yield* run(change, visitor.person, request, { id, reason }).pipe(
        Effect.as(seeOther(subjectPath(subject, id))),
        Effect.catchTag("Refusal", showRefused(subject, titles[change], { visitor, id, fields: form.fields }))
      )
    })
  )
