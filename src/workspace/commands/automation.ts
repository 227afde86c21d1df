/** The agents of a subject: whether they are paused, and the form on its page that pauses or resumes them. */
import { Effect, Layer, Result } from "effect"
import { h } from "preact"
import type { Role } from "../../access/actions.ts"
import type { PartyProject } from "../../projects/party-projects.ts"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { form } from "../kit/fields.ts"
import { controlsOf, decodeFields } from "../kit/form-field.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { requestIdField, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { roleLabels } from "../kit/labels.ts"
import { badge, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { reasonField } from "./fields.ts"
import { showRefused } from "./outcome-pages.ts"
import { sectionForm, subjectPath, type PageForm, type Subject, type SubjectKind } from "./subject.ts"

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
  readonly showAgain: (visitor: Visitor, id: string, failed: PageForm) => Effect.Effect<string, Refusal, R>
}

const titles = { pause: "Pause agents", resume: "Resume agents" }

export const automationFields = { reason: reasonField("Both parties and their agents read it.", 2) }

export const automationForms = <S, R>(subject: AutomatedSubject<S>, automation: Automation<R>) =>
  Layer.merge(automationForm(subject, automation, "pause"), automationForm(subject, automation, "resume"))

type AutomatedSubject<R> = Pick<Subject<unknown, never, never, R>, "name" | "place" | "idKind" | "explain" | "open">

const automationForm = <S, R>(
  subject: AutomatedSubject<S>,
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

interface AutomationModel {
  readonly id: string
  readonly viewer: Visitor["viewer"]
  readonly role: Role
  readonly pauses: PartyProject["pauses"]
  readonly events: ReadonlyArray<{
    readonly actor: { readonly id: string; readonly execution: { readonly agentId: string } | null }
  }>
  readonly nameOf: (personId: string) => string
  readonly mayChange: boolean
}

export const automationSection = (
  subject: Pick<SubjectKind, "name" | "place">,
  { id, viewer, role, pauses, mayChange, ...names }: AutomationModel,
  { state, requestId }: PageForm
): Element => {
  const isOwn = pauses.some(({ side }) => side === role)
  return section(
    `Agents on this ${subject.name}`,
    pauses.map(({ side, by, at, reason }) => [
      paragraph(
        `Paused for the ${roleLabels[side].toLowerCase()} by `,
        pauserText(names, by),
        " on ",
        time(at as Instant),
        ":"
      ),
      untrustedLines(reason)
    ]),
    pauses.length === 0 ? paragraph("Agents of both parties may act, within their grants.") : null,
    mayChange
      ? [
          paragraph(
            isOwn
              ? "After you resume them, agents can act again unless the other party has paused them too."
              : "A pause stops the agents of both parties at once, until your party resumes them. People can continue."
          ),
          form(
            {
              action: `${subjectPath(subject, id)}/${isOwn ? "resume" : "pause"}`,
              formToken: viewer.formToken,
              submitLabel: isOwn ? "Resume agents" : "Pause agents"
            },
            requestIdField(requestId),
            controlsOf(automationFields, state).reason
          )
        ]
      : paragraph("Pausing or resuming them requires a membership that permits delegating to agents.")
  )
}

/** An agent that handed over is shown by the person it acted for, and by its id. */
const pauserText = ({ events, nameOf }: Pick<AutomationModel, "events" | "nameOf">, by: string): Content => {
  if (!by.startsWith("agent_")) return untrusted(nameOf(by))
  const person = events.find(({ actor }) => actor.execution?.agentId === by)?.actor.id
  return [
    "an agent ",
    person === undefined ? null : ["of ", untrusted(nameOf(person)), " "],
    "(",
    h("code", null, by),
    ")"
  ]
}

export const automationBadge = (isPaused: boolean): Element =>
  isPaused ? badge("waiting", "paused") : badge("good", "may act")
