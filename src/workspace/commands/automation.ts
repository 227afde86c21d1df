/** The agents of a subject: whether they are paused, and the form at the top of its page that pauses or resumes them. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import type { Role } from "../../access/actions.ts"
import type { PartyProject } from "../../projects/party-projects.ts"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { form } from "../kit/fields.ts"
import { controlsOf } from "../kit/form-field.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { requestIdField, requestOf, type PageForm } from "../kit/idempotent-form.ts"
import { roleLabels } from "../kit/labels.ts"
import { badge, foldable, notice, paragraph, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { reasonField } from "./fields.ts"
import { sectionForm, type SectionSubject } from "./section-form.ts"
import { subjectPath, type SubjectKind } from "./subject.ts"

interface Automation<S, R1, R2> {
  readonly subject: SectionSubject<S>
  readonly showAgain: (visitor: Visitor, id: string, failed: PageForm) => Effect.Effect<string, Refusal, R1>
  readonly pause: AutomationChange<R2>
  readonly resume: AutomationChange<R2>
}

interface AutomationChange<R> {
  /** The operation in the fingerprint of idempotent requests. */
  readonly operation: string
  readonly run: (
    person: Visitor["person"],
    request: IdempotentRequest,
    id: string,
    reason: string
  ) => Effect.Effect<unknown, Refusal, R>
}

const automationFields = { reason: reasonField("Both parties and their agents read it.", 2) }

/** The forms that pause and resume the agents. */
export const automationForms = <S, R1, R2>(automation: Automation<S, R1, R2>) =>
  Layer.merge(changeForm(automation, "pause"), changeForm(automation, "resume"))

const changeForm = <S, R1, R2>(automation: Automation<S, R1, R2>, change: "pause" | "resume") => {
  const { operation, run } = automation[change]
  return sectionForm(automation.subject, {
    path: `/${change}`,
    name: changeLabels[change],
    fields: automationFields,
    showAgain: automation.showAgain,
    run: ({ visitor, id, requestId, values: { reason } }) => {
      const request = requestOf(visitor, requestId, operation, { pathIds: [id], values: { reason } })
      return Effect.as(run(visitor.person, request, id, reason), acknowledgements[change])
    }
  })
}

const changeLabels = { pause: "Pause agents", resume: "Resume agents" }

const acknowledgements = {
  pause: {
    did: "You paused the agents.",
    next: "No agent of either party acts here until your party resumes them. People can continue."
  },
  resume: {
    did: "You resumed the agents.",
    next: "They can act again, within their grants, unless the other party has paused them too."
  }
}

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

/** At the top of the subject's page: the pauses in force, and the folded form that pauses or resumes the agents. */
export const automationControl = (
  subject: Pick<SubjectKind, "place">,
  { id, viewer, role, pauses, mayChange, ...names }: AutomationModel,
  { state, requestId }: PageForm
): Content => {
  const isOwn = pauses.some(({ side }) => side === role)
  const change = isOwn ? "resume" : "pause"
  const label = changeLabels[change]
  return [
    pauses.length === 0
      ? null
      : notice(
          "warning",
          pauses.map((pause) => pauseText(names, pause)),
          mayChange ? null : delegationNeeded
        ),
    mayChange
      ? foldable(
          { label, isOpen: state.problems.length > 0, isAct: true },
          isOwn
            ? "After you resume them, agents can act again unless the other party has paused them too."
            : "Agents of both parties may act, within their grants. A pause stops all of them at once, until your party resumes them. People can continue.",
          form(
            { action: `${subjectPath(subject, id)}/${change}`, formToken: viewer.formToken, submitLabel: label },
            requestIdField(requestId),
            controlsOf(automationFields, state).reason
          )
        )
      : null
  ]
}

/** For a person who cannot pause or resume. */
export const delegationNeeded = "Pausing or resuming agents requires a membership that permits delegating to agents."

const pauseText = (
  names: Pick<AutomationModel, "events" | "nameOf">,
  { side, by, at, reason }: PartyProject["pauses"][number]
): Content => [
  paragraph(
    `Paused for the ${roleLabels[side].toLowerCase()} by `,
    pauserText(names, by),
    " on ",
    time(at as Instant),
    ":"
  ),
  untrustedLines(reason)
]

/** An agent that handed over is shown by the person it acted for, and by its id. */
export const pauserText = ({ events, nameOf }: Pick<AutomationModel, "events" | "nameOf">, by: string): Content => {
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
