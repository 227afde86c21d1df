/** Accepts exactly the invitation whose terms were shown, once. */
import { Effect, Result, Schema } from "effect"
import { clearCookie } from "../../http/cookies.ts"
import { acceptParticipation } from "../../participation/invitations.ts"
import { acceptMembership, readInvitation } from "../../people/invitations.ts"
import { acceptRepresentation } from "../../projects/representative.ts"
import { idOf, UuidV4 } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { decodeForm } from "../kit/form.ts"
import { oneOf } from "../kit/form-values.ts"
import { requestOf } from "../kit/idempotent-form.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { storedCode } from "./join-code.ts"
import { joinPath, readInvitationContext, termsPage, type Invitation } from "./join-terms.ts"

const shownFields = { invitationId: idOf("invitation"), requestId: UuidV4 }

export const acceptRoute = signedInForm({ path: `${joinPath}/accept`, shownAt: joinPath }, function* (visitor, sent) {
  const { person } = visitor
  const code = yield* storedCode
  if (code === undefined) return pageResponse(codeExpiredPage(visitor), 409)
  const invitation = yield* readInvitation(person, code)
  const context = yield* readInvitationContext(visitor, invitation, code)
  const organizationIds = context.memberships.map(({ organizationId }) => organizationId)
  const schema = Schema.Struct(
    invitation.kind === "REPRESENTATIVE"
      ? { ...shownFields, organizationId: oneOf("the organization", organizationIds) }
      : shownFields
  )
  const decoded = yield* decodeForm(schema, sent)
  if (Result.isFailure(decoded)) {
    return pageResponse(yield* termsPage(visitor, invitation, context, decoded.failure), 400)
  }
  // Another tab may have replaced the code in the cookie since these terms were shown.
  if (decoded.success.invitationId !== invitation.invitationId) return pageResponse(codeExpiredPage(visitor), 409)
  yield* accept(visitor, invitation, code, decoded.success)
  return clearCookie("invitation")(pageResponse(acceptedPage(visitor, invitation)))
})

interface AcceptanceInput {
  readonly requestId: string
  readonly organizationId?: string
}

const accept = Effect.fnUntraced(function* (
  visitor: Visitor,
  { kind, invitationId }: Invitation,
  code: string,
  { requestId, organizationId }: AcceptanceInput
) {
  const { person } = visitor
  if (kind === "MEMBERSHIP") return yield* Effect.asVoid(acceptMembership(person, code))
  if (kind === "PARTICIPATION") return yield* Effect.asVoid(acceptParticipation(person, code))
  if (organizationId === undefined) return yield* refuse("INVALID_REQUEST")
  const request = requestOf(visitor, requestId, "acceptRepresentation", {
    pathIds: [invitationId],
    values: { organizationId }
  })
  return yield* Effect.asVoid(acceptRepresentation(person, request, { code, organizationId }))
})

const codeExpiredPage = ({ viewer }: Visitor) =>
  page(
    { title: "Enter the code again", viewer, place: "join" },
    "The code is stored for ten minutes, for one invitation at a time. Nothing was accepted.",
    nextStep(joinPath, "Enter the code again")
  )

const acceptedPage = ({ viewer }: Visitor, { kind, terms, organizationName }: Invitation) => {
  if (kind === "MEMBERSHIP") {
    return page(
      { title: "You joined", viewer, place: "join" },
      notice("done", paragraph("You are a member of ", untrusted(organizationName), ".")),
      "You can connect an agent now, if this membership lets agents act.",
      nextStep("/workspace/", "Go to the start page")
    )
  }
  const title = untrusted(terms.kind === "MEMBERSHIP" ? "" : terms.title)
  return kind === "REPRESENTATIVE"
    ? page(
        { title: "You are the supplier’s representative", viewer, place: "join" },
        notice("done", paragraph("You are named as supplier in ", title, ".")),
        paragraph(
          "Next, answer the terms on the page of the project, or let an agent do so that you ",
          linkTo("/workspace/connect", "connect"),
          " for this project, with the permission to answer terms."
        ),
        nextStep("/workspace/projects", "See your projects")
      )
    : page(
        { title: "The task is yours", viewer, place: "join" },
        notice("done", paragraph("You accepted ", title, ".")),
        nextStep("/workspace/tasks", "Open your tasks")
      )
}
