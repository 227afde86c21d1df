/** The page that creates a webhook subscription of a person. */
import { Effect, Layer, Result } from "effect"
import { readProfile } from "../../people/profile.ts"
import { addPartyNames } from "../../projects/party-names.ts"
import { listPartyProjects } from "../../projects/party-projects.ts"
import { newestFirst } from "../../projects/project-for-pages.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { createSubscriptionAsPerson } from "../../webhooks/create.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { emptyForm, type FormState, type Problem } from "../kit/fields.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { webhookForm, decodeWebhook, type WebhookChoices } from "./form.ts"
import { showAlreadyCreated, showSecret } from "./secret.ts"
import { webhooksPath } from "./read-model.ts"

const path = `${webhooksPath}/new` as const

const showNew = signedInPage(path, (visitor) =>
  Effect.gen(function* () {
    const chosen = (yield* readQueryParameters)("project")
    return pageResponse(newPage(visitor, yield* readChoices(visitor, chosen), emptyForm, yield* newRequestId))
  })
)

const readChoices = Effect.fnUntraced(function* ({ person }: Visitor, chosen?: string) {
  const { memberships } = yield* readProfile(person)
  const projects = (yield* listPartyProjects(person)).toSorted(
    (one, other) => Number(other.projectId === chosen) - Number(one.projectId === chosen) || newestFirst(one, other)
  )
  const listed = projects.slice(0, limits.projectsWithNextAction)
  return {
    projects: yield* addPartyNames(listed),
    projectIds: projects.map(({ projectId }) => projectId),
    chosen,
    organizations: memberships.filter(({ isInForce }) => isInForce),
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
    paragraph(
      "A webhook notifies a program of yours about events of the selected projects from now on. No test message is sent, and earlier events are not sent."
    ),
    choices.projectIds.length === 0
      ? paragraph("You are a party of no project yet, so there are no events to send.")
      : webhookForm(path, viewer.formToken, choices, state, requestId),
    paragraph(linkTo(webhooksPath, "All my webhooks"))
  )

const create = signedInForm(path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const choices = yield* readChoices(visitor)
    const decoded = yield* decodeWebhook(choices, form)
    const again = (problems: ReadonlyArray<Problem>, status: number) =>
      pageResponse(newPage(visitor, choices, { sent: form.fields, problems }, requestId), status)
    if (Result.isFailure(decoded)) return again(decoded.failure.problems, 400)
    const { organizationId, ...input } = decoded.success
    const values = { organizationId: organizationId ?? null, ...input }
    const request = requestOf(visitor, requestId, "createOwnWebhook", { values: { ...values } })
    return yield* createSubscriptionAsPerson(visitor.person, request, decoded.success).pipe(
      Effect.map(({ row, ...created }) =>
        "secret" in created ? showSecret(visitor, row, created.secret) : showAlreadyCreated(visitor, row)
      ),
      Effect.catchTag("Refusal", (refused) => {
        const problems = problemsOf(refused)
        return problems === undefined ? Effect.fail(refused) : Effect.succeed(again(problems, statusOf(refused)))
      })
    )
  })
)

/** The problem at the field that corrects a refusal; undefined for other refusals. */
const problemsOf = (refused: Refusal): ReadonlyArray<Problem> | undefined => {
  const { detail, issues = [] } = errorBody(refused)
  switch (refused.code) {
    case "INVALID_REQUEST":
      // The form has validated everything else; only the clock has advanced.
      return [{ field: issues.length === 0 ? "organizationId" : "until", message: issues[0]?.message ?? detail }]
    case "FORBIDDEN":
    case "SUBSCRIPTION_LIMIT":
      return [{ field: "projects", message: detail }]
    default:
      return undefined
  }
}

export const webhookCreation = Layer.mergeAll(showNew, create)
