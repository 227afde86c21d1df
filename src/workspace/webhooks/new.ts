/** The page that creates a webhook subscription of a person. */
import { Effect } from "effect"
import { addPartyNames } from "../../projects/party-names.ts"
import { listNewestProjects } from "../../projects/newest-projects.ts"
import { readPartyProject } from "../../projects/party-projects.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { errorBody } from "../../vocabulary/refusals.ts"
import { createSubscriptionAsPerson } from "../../webhooks/create.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import type { FormState } from "../kit/fields.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { requestOf } from "../kit/idempotent-form.ts"
import type { Visitor } from "../kit/visitor.ts"
import { idempotentFormPage } from "../kit/form-page.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { webhookForm, decodeWebhook, type WebhookChoices } from "./form.ts"
import { showAlreadyCreated, showSecret } from "./secret.ts"
import { webhooksPath } from "./read-model.ts"

const path = `${webhooksPath}/new` as const

const readChoices = Effect.fnUntraced(function* ({ person }: Visitor) {
  const chosen = (yield* readQueryParameters)("project")
  const newest = yield* listNewestProjects(person)
  const first =
    chosen === undefined
      ? undefined
      : (newest.find(({ projectId }) => projectId === chosen) ??
        (yield* readPartyProject(person, chosen).pipe(Effect.catchTag("Refusal", () => Effect.undefined))))
  const others = newest.filter((project) => project !== first)
  const projects = first === undefined ? others : [first, ...others]
  const listed = projects.slice(0, limits.projectsOnPage)
  return {
    projects: yield* addPartyNames(listed),
    projectIds: projects.map(({ projectId }) => projectId),
    chosen,
    organizations: yield* readMemberships(person),
    now: yield* currentTime
  } satisfies WebhookChoices
})

const newPage = ({ viewer }: Visitor, choices: WebhookChoices, state: FormState, requestId: string) =>
  page(
    {
      title: "Create a webhook",
      viewer,
      place: "webhooks",
      // Problems link to their fields: omit them where no form is shown.
      problems: choices.projectIds.length === 0 ? [] : state.problems
    },
    "A webhook notifies a program of yours about events of the selected projects from now on. No test message is sent, and earlier events are not sent.",
    choices.projectIds.length === 0
      ? "You are a party of no project yet, so there are no events to send."
      : webhookForm(path, viewer.formToken, choices, state, requestId),
    paragraph(linkTo(webhooksPath, "All my webhooks"))
  )

export const webhookCreation = idempotentFormPage(path, {
  read: readChoices,
  decode: (sent, choices) => decodeWebhook(choices, sent),
  show: (visitor, choices, { state, requestId }) => Effect.succeed(newPage(visitor, choices, state, requestId)),
  run: ({ visitor, values, requestId }) => {
    const { organizationId, ...input } = values
    const fingerprinted = { organizationId: organizationId ?? null, ...input }
    const request = requestOf(visitor, requestId, "createOwnWebhook", { values: fingerprinted })
    return Effect.map(createSubscriptionAsPerson(visitor.person, request, values), ({ row, ...created }) =>
      "secret" in created ? showSecret(visitor, row, created.secret) : showAlreadyCreated(visitor, row)
    )
  },
  refusedAt: {
    FORBIDDEN: "projects",
    SUBSCRIPTION_LIMIT: "projects",
    // The form has validated everything else; only the clock has advanced.
    INVALID_REQUEST: (refused) => {
      const { detail, issues: [issue] = [] } = errorBody(refused)
      return issue === undefined
        ? { field: "organizationId", message: detail }
        : { field: "until", message: issue.message }
    }
  }
})
