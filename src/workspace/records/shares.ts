/** The shares of a project's issued record: recipients, openings and revocation. */
import { Effect, Layer } from "effect"
import { listShares, revokeShare, shareRecord } from "../../records/sharing.ts"
import { errorBody, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { FormAnswer } from "../kit/acknowledgement.ts"
import { buttonForm } from "../kit/button-form.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, notice, paragraph, section, table, time, aboveId } from "../kit/parts.ts"
import { titleWithIdentity } from "../projects/identity.ts"
import { readProjectPageModel, type ProjectPageModel } from "../projects/read-model.ts"
import { newRequestId, requestOf, type PageForm } from "../kit/idempotent-form.ts"
import { refusedResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
import { idempotentFormPage, type RefusedAt } from "../kit/form-page.ts"
import { decodeNoFields } from "../kit/form.ts"
import { readMemberships } from "../organization/own-membership.ts"
import { decodeShare, readContacts, permittedRecipients, shareForm, sharesPath } from "./share-form.ts"

const address = "/workspace/projects/:projectId/shares"

interface ShareForm extends PageForm {
  /** The refusal of the submitted form. */
  readonly refused?: Refusal
}

const showShares = Effect.fnUntraced(function* (
  visitor: Visitor,
  model: ProjectPageModel,
  { state, requestId, refused }: ShareForm
) {
  const { projectId } = model
  const shares = yield* listShares(visitor.person, projectId)
  const publishing = yield* readMemberships(visitor.person, "PUBLICATION_MANAGE")
  const mayPublish =
    publishing.some((one) => one.organizationId === model.organizationIds[0]) && representsParty(visitor, model)
  const rows = yield* Effect.forEach(shares, (share) => shareRow(visitor, model, share, mayPublish))
  const unavailableReason = mayPublish ? whyNot(model) : missingAuthority
  // Entered values are shown again, whatever has changed on the project meanwhile.
  const hasForm = unavailableReason === undefined || (mayPublish && state.sent !== undefined)
  const problems = hasForm ? state.problems : []
  return page(
    { title: "Share the record", viewer: visitor.viewer, place: "projects", problems },
    refused === undefined ? null : refusedNotice(refused),
    titleWithIdentity(model.named),
    section(
      "Shares",
      table({
        caption: "Shares of the record by both parties",
        columns: ["Recipient", "Opened by", "Shared", "Openings", "Newest openings", "State"],
        rows,
        empty: "The record has not been shared."
      })
    ),
    section(
      "Share it with a recipient",
      unavailableReason === undefined ? null : paragraph(unavailableReason),
      hasForm ? shareForm(visitor, model, yield* readContacts(visitor, model), { state, requestId }) : null
    ),
    paragraph(linkTo(`/workspace/projects/${projectId}`, "Go to the project"))
  )
})

const refusedNotice = (refused: Refusal): Element =>
  notice("warning", paragraph("Nothing was shared now. ", untrusted(errorBody(refused).detail)))

const missingAuthority =
  "Sharing requires a membership of this party that permits publishing results; for the supplier, it requires its representative."

/** Only the supplier's named representative shares for the supplier. */
const representsParty = ({ person }: Visitor, { side, project }: ProjectPageModel): boolean =>
  side === "BUYER" || project.supplier.actorId === person.personId

type Share = Effect.Success<ReturnType<typeof listShares>>[number]

const shareRow = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  { projectId, side }: ProjectPageModel,
  share: Share,
  mayPublish: boolean
) {
  const { shareId, recipient, recipientName, recipientActorId, sharerName, sharedAt, revokedAt } = share
  return [
    untrusted(recipient),
    aboveId(untrusted(recipientName), recipientActorId),
    [time(sharedAt), " by ", untrusted(sharerName), ` for the ${roleLabels[share.side].toLowerCase()}`],
    String(share.openingCount),
    share.openings.length === 0
      ? "never"
      : list(share.openings.map(({ at, state }) => [time(at), `, ${stateLabels[state].name}`])),
    revokedAt !== null
      ? ["Revoked ", time(revokedAt)]
      : mayPublish && share.side === side
        ? revokeButton(
            `${sharesPath(projectId)}/${shareId}/revoke`,
            viewer.formToken,
            recipientName,
            yield* newRequestId
          )
        : "active"
  ] satisfies ReadonlyArray<Content>
})

const revokeButton = (action: `/workspace/${string}`, formToken: string, name: string, requestId: string): Element =>
  buttonForm({
    action,
    formToken,
    label: "Revoke",
    about: `Revoke the share of ${visible(name)}`,
    fields: { requestId }
  })

const whyNot = ({ project }: ProjectPageModel): string | undefined => {
  if (project.recordId === null) return "No record was issued yet."
  if (project.state !== "BUYER_CONFIRMED")
    return "The acceptance is no longer valid as recorded: the record can no longer be shared."
  return permittedRecipients(project).length === 0
    ? "The agreement names no recipient, so the record cannot be shared."
    : undefined
}

const readModel = (visitor: Visitor) =>
  Effect.flatMap(pathId("projectId", "delivery"), (projectId) => readProjectPageModel(visitor, projectId))

const refusedAt: RefusedAt = {
  RECIPIENT_NOT_NAMED: "recipient",
  ALREADY_EXISTS: "personId",
  SAME_PARTY: "personId",
  UNKNOWN_PARTY: "personId"
}

const share = idempotentFormPage(address, {
  read: readModel,
  decode: (sent, model, visitor) => decodeShare(visitor, model, sent),
  show: showShares,
  run: ({ visitor, subject: model, values, requestId, form }) => {
    const { projectId } = model
    const request = requestOf(visitor, requestId, "shareRecord", { pathIds: [projectId], values })
    return shareRecord(visitor.person, request, { projectId, ...values }).pipe(
      Effect.as<FormAnswer>({
        did: "You shared the record.",
        next: "That person finds it among their shared records, and only that person can open it."
      }),
      Effect.catchTag("Refusal", (refused) =>
        Effect.gen(function* () {
          const status = statusOf(refused)
          if (refused.code in refusedAt || (status !== 403 && status !== 409)) return yield* Effect.fail(refused)
          // The request id was already used with other values.
          const next = refused.code === "REQUEST_ID_CONFLICT" ? yield* newRequestId : requestId
          const state = { sent: form.fields, problems: [] }
          return refusedResponse(yield* showShares(visitor, model, { state, requestId: next, refused }), refused)
        })
      )
    )
  },
  refusedAt
})

const revoke = idempotentFormPage(
  { path: `${address}/:shareId/revoke`, shownAt: address },
  {
    read: () => Effect.all([pathId("projectId", "delivery"), pathId("shareId", "share")]),
    decode: decodeNoFields,
    run: ({ visitor, subject: [projectId, shareId], requestId }) => {
      const request = requestOf(visitor, requestId, "revokeShare", { pathIds: [projectId, shareId] })
      return Effect.as(revokeShare(visitor.person, request, { projectId, shareId }), {
        did: "You ended the share.",
        next: "The share no longer opens the record."
      })
    }
  }
)

export const sharePages = Layer.merge(share, revoke)
