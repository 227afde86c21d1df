/** The form of a webhook subscription: target, projects, event types and end date. */
import { Effect, Option, Result, Schema } from "effect"
import type { ProjectWithPartyNames } from "../../projects/party-names.ts"
import { Installation } from "../../ports/installation.ts"
import { eventTypes } from "../../vocabulary/event-types.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { addMilliseconds, type Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { readTarget } from "../../webhooks/target.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { checkboxGroup } from "../kit/choices.ts"
import { form, select, textField, type FormState } from "../kit/fields.ts"
import { decodeForm, type FormSubmission } from "../kit/form.ts"
import { anyOf, line, optionalDay, optionalLine } from "../kit/form-values.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { rejectPastDate } from "../kit/expired-date.ts"
import { identityOf } from "../projects/identity.ts"
import { requestIdField } from "../kit/idempotent-form.ts"
import { eventLabels } from "./labels.ts"

export interface WebhookChoices {
  /** The projects listed in the form. */
  readonly projects: ReadonlyArray<ProjectWithPartyNames>
  /** All projects of the person. */
  readonly projectIds: ReadonlyArray<string>
  /** The preselected project, from whose page the person came. */
  readonly chosen?: string | undefined
  readonly organizations: ReadonlyArray<{ readonly organizationId: string; readonly organizationName: string }>
  readonly now: Instant
}

export const webhookForm = (
  action: string,
  formToken: string,
  choices: WebhookChoices,
  state: FormState,
  requestId: string
): Element =>
  form(
    { action, formToken, submitLabel: "Create the webhook and show the secret" },
    requestIdField(requestId),
    textField(state, {
      name: "target",
      label: "Where is it sent?",
      hint: "The URL of the receiving program, as given by its operator. It begins with https:// and has a host name, not an IP address.",
      maxLength: limits.targetCharacters,
      autoCapitalize: "none"
    }),
    checkboxGroup(state, {
      name: "projects",
      legend: "Events of which projects are sent?",
      hint: [
        `Exactly the selected ones, at most ${limits.projectsPerSubscription}.`,
        choices.projects.length < choices.projectIds.length ? ` The newest ${choices.projects.length} are shown.` : null
      ],
      choices: choices.projects.map((project) => ({
        value: project.projectId,
        label: untrusted(project.title),
        hint: identityOf(project)
      })),
      chosen: choices.chosen === undefined ? [] : [choices.chosen]
    }),
    checkboxGroup(state, {
      name: "events",
      legend: "Which events are sent?",
      choices: eventTypes.map((type) => ({ value: type, label: eventLabels[type] }))
    }),
    choices.organizations.length > 1
      ? select(state, {
          name: "organizationId",
          label: "For which organization?",
          hint: "Needed only where several of your organizations are a party of the selected projects.",
          isOptional: true,
          choices: [
            { value: "", label: "The organization that is a party" },
            ...choices.organizations.map(({ organizationId, organizationName }) => ({
              value: organizationId,
              label: visible(organizationName)
            }))
          ]
        })
      : null,
    textField(state, {
      name: "until",
      label: "Until the end of which day?",
      hint: `A day in UTC, the last possible one is ${latestDay(choices.now)}.`,
      type: "date",
      value: latestDay(choices.now),
      size: "short"
    })
  )

/** The last day within the maximum lifetime of a subscription. */
const latestDay = (now: Instant): string =>
  addMilliseconds(addMilliseconds(now, limits.subscriptionLifetime), -day).slice(0, 10)

const day = 86_400_000

/** The decoded input, or the state with which the page shows the form again. */
export const decodeWebhook = Effect.fnUntraced(function* ({ projectIds, now }: WebhookChoices, sent: FormSubmission) {
  const { siteUrl } = yield* Installation
  const schema = Schema.Struct({
    target: line("The address", limits.targetCharacters).check(
      Schema.makeFilter(
        (target) => target === "" || Option.getOrUndefined(Result.getFailure(readTarget(target, [siteUrl])))
      )
    ),
    projects: anyOf("the projects", projectIds).check(
      Schema.isMinLength(1, { message: "Choose at least one project." }),
      Schema.isMaxLength(limits.projectsPerSubscription, {
        message: `Choose at most ${limits.projectsPerSubscription} projects.`
      })
    ),
    events: anyOf("the events", eventTypes).check(
      Schema.isMinLength(1, { message: "Choose at least one event type." })
    ),
    organizationId: optionalLine("The organization", limits.titleCharacters).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed(""))
    ),
    until: optionalDay("The day")
  })
  const decoded = yield* rejectPastDate(yield* decodeForm(schema, sent), sent, ["until", "The day"])
  return Result.flatMap(decoded, ({ target, projects, events, organizationId, until }) => {
    const failed = (field: string, message: string) =>
      Result.fail<FormState>({ sent: sent.fields, problems: [{ field, message }] })
    if (until === undefined) return failed("until", "The day: fill in this field once.")
    if (until.slice(0, 10) > latestDay(now)) return failed("until", `The last possible day is ${latestDay(now)}.`)
    if (organizationId !== "" && !isOrganizationId(organizationId)) {
      return failed("organizationId", "Choose again: the organization.")
    }
    return Result.succeed({
      target,
      projectIds: [...new Set(projects)],
      eventTypes: [...new Set(events)],
      organizationId: organizationId === "" ? undefined : organizationId,
      expiresAt: until
    })
  })
})

const isOrganizationId = Schema.is(idOf("organization"))
