/** The shares of a project's issued record: recipients, openings and revocation. */
import { Effect, Layer, Result } from "effect"
import { h } from "preact"
import { readProfile } from "../../people/profile.ts"
import { listShares, revokeShare, shareRecord } from "../../records/sharing.ts"
import { errorBody, refuse, statusOf, type Refusal } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { buttonForm } from "../kit/button-form.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import { untrusted, visible, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, list, notice, paragraph, section, table, time } from "../kit/parts.ts"
import { titleWithIdentity } from "../projects/identity.ts"
import { readProjectPageModel, type ProjectPageModel } from "../projects/read-model.ts"
import { newRequestId, requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { roleLabels, stateLabels } from "../kit/labels.ts"
import { decodeShare, readContacts, permittedRecipients, shareForm, sharesPath } from "./share-form.ts"

const address = "/workspace/projects/:projectId/shares"

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readProjectPageModel(visitor, yield* pathId("projectId", "delivery"))
    return pageResponse(yield* showShares(visitor, model, { state: emptyForm, requestId: yield* newRequestId }))
  })
)

interface ShareForm {
  readonly state: FormState
  readonly requestId: string
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
  const { memberships } = yield* readProfile(visitor.person)
  const own = memberships.find((one) => one.isInForce && one.organizationId === model.organizationIds[0])
  const mayPublish = own?.authorities.includes("PUBLICATION_MANAGE") === true && representsParty(visitor, model)
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
      hasForm ? shareForm(visitor, model, yield* readContacts(visitor, model), state, requestId) : null
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
    [untrusted(recipientName), h("br", null), h("code", null, recipientActorId)],
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

const share = signedInForm(address, (visitor, sent) =>
  Effect.gen(function* () {
    const model = yield* readProjectPageModel(visitor, yield* pathId("projectId", "delivery"))
    const { requestId, form } = yield* takeRequestId(sent)
    const again = (shown: ShareForm, status: number) =>
      Effect.map(showShares(visitor, model, shown), (html) => pageResponse(html, status))
    const decoded = yield* decodeShare(visitor, model, form)
    if (Result.isFailure(decoded)) return yield* again({ state: decoded.failure, requestId }, 400)
    const { projectId } = model
    const request = requestOf(visitor, requestId, "shareRecord", { pathIds: [projectId], values: decoded.success })
    return yield* shareRecord(visitor.person, request, { projectId, ...decoded.success }).pipe(
      Effect.as(seeOther(sharesPath(projectId))),
      Effect.catchTag("Refusal", (refused) =>
        Effect.gen(function* () {
          const { fields: sent } = form
          const status = statusOf(refused)
          const field = refusedFields[refused.code]
          if (field !== undefined) {
            const problems = [{ field, message: errorBody(refused).detail }]
            return yield* again({ state: { sent, problems }, requestId }, status)
          }
          if (status !== 403 && status !== 409) return yield* Effect.fail(refused)
          // The request id was already used with other values.
          const next = refused.code === "REQUEST_ID_CONFLICT" ? yield* newRequestId : requestId
          return yield* again({ state: { sent, problems: [] }, requestId: next, refused }, status)
        })
      )
    )
  })
)

const refusedFields: { readonly [code: string]: string } = {
  RECIPIENT_NOT_NAMED: "recipient",
  ALREADY_EXISTS: "personId",
  SAME_PARTY: "personId",
  UNKNOWN_PARTY: "personId"
}

const revoke = signedInForm({ path: `${address}/:shareId/revoke`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
    const projectId = yield* pathId("projectId", "delivery")
    const shareId = yield* pathId("shareId", "share")
    const { requestId, form } = yield* takeRequestId(sent)
    if (Object.keys(form.fields).length > 0) return yield* refuse("INVALID_REQUEST")
    const request = requestOf(visitor, requestId, "revokeShare", { pathIds: [projectId, shareId] })
    yield* revokeShare(visitor.person, request, { projectId, shareId })
    return seeOther(sharesPath(projectId))
  })
)

export const sharePages = Layer.mergeAll(show, share, revoke)
