/** The consent to an agent's connection request: chosen in two steps, then approved or denied. */
import { Effect, Layer, Result, Schema } from "effect"
import { approveConnection, denyConnection, readConnection, type ApprovalInput } from "../../access/approval.ts"
import { roles } from "../../access/actions.ts"
import { clearCookie } from "../../http/cookies.ts"
import { now as currentTime } from "../../vocabulary/instant.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId, readQueryParameters } from "../kit/url-parameters.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { emptyForm, brokenRules, type FormState } from "../kit/fields.ts"
import { bothParts, decodeForm, type FormSubmission } from "../kit/form.ts"
import { requiredCheckbox } from "../kit/form-values.ts"
import type { Acknowledgement } from "../kit/page.ts"
import { pageResponse, refusedResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { readGrantChoices, type OrganizationRole } from "./grant-choices.ts"
import { decodeGrantForm, readChoicesAgain } from "./grant-form.ts"
import { readTypedCode } from "./connect-code.ts"
import { choicePage, connectionPath } from "./consent-choice.ts"
import { approvedPage, collectableGrantId, outcomePage, signInAgainPage } from "./consent-outcome.ts"
import { consentPage, consentPath, type Consent } from "./consent-page.ts"
import type { ConnectionRequest } from "./consent-request.ts"

const path = "/workspace/connections/:connectionId"

const readRequestedConnection = Effect.fnUntraced(function* ({ person }: Visitor) {
  return yield* readConnection(person, yield* pathId("connectionId", "connection"))
})

const showConsent = signedInPage(path, function* (visitor) {
  const { viewer } = visitor
  const connection = yield* readRequestedConnection(visitor)
  const outcome = yield* outcomePage(visitor, connection)
  if (outcome !== undefined) return outcome
  const delegations = yield* readMemberships(visitor.person, "DELEGATE")
  const query = yield* readQueryParameters
  const first = firstStep(delegations, { organizationId: query("organizationId"), role: query("role") })
  if ("state" in first) return choicePage(viewer, connection, delegations, first.state)
  const typedCode = yield* readTypedCode(connection.connectionId)
  const choices = yield* readGrantChoices(visitor, first)
  return consentPage(viewer, { connection, choices, typedCode }, emptyForm)
})

type FirstStep =
  | OrganizationRole
  /** The state of its form: empty at first, then with its problems. */
  | { readonly state: FormState }

const firstStep = (
  delegations: ReadonlyArray<Membership>,
  sent: { readonly organizationId: string | undefined; readonly role: string | undefined }
): FirstStep => {
  if (sent.organizationId === undefined && sent.role === undefined) return { state: emptyForm }
  const organization = delegations.find(({ organizationId }) => organizationId === sent.organizationId)
  const role = roles.find((one) => one === sent.role)
  if (organization !== undefined && role !== undefined) return { organizationId: organization.organizationId, role }
  const problems = brokenRules([
    [organization === undefined, "organizationId", "Choose the organization."],
    [role === undefined, "role", "Choose the role."]
  ])
  return { state: { sent: { organizationId: sent.organizationId ?? "", role: sent.role ?? "" }, problems } }
}

const takeAnswer = signedInForm(path, function* (visitor, sent) {
  const { person, viewer } = visitor
  const connection = yield* readRequestedConnection(visitor)
  const back = seeOther(connectionPath(connection.connectionId)).pipe(clearCookie("userCode"))
  const existingGrant = collectableGrantId(connection, yield* currentTime)
  if (existingGrant !== null) return yield* approvedBefore(visitor, connection, existingGrant)
  if ((yield* outcomePage(visitor, connection)) !== undefined) return back
  const { organizationId, role, decision, ...fields } = sent.fields
  if (decision === "DENY") {
    yield* denyConnection(person, connection.connectionId)
    return yield* answered(visitor, connection, {
      did: "You refused the connection.",
      next: "The agent gets no token, and can start another connection."
    })
  }
  const first = firstStep(yield* readMemberships(person, "DELEGATE"), {
    organizationId: textOf(organizationId),
    role: textOf(role)
  })
  if ("state" in first || decision !== "APPROVE") return yield* refuse("INVALID_REQUEST")
  const choices = yield* readGrantChoices(visitor, first)
  const consent = { connection, choices, typedCode: yield* readTypedCode(connection.connectionId) }
  const { grant, rest } = yield* decodeGrantForm(choices, { ...sent, fields })
  const decoded = bothParts(sent, grant, yield* decodeForm(CodeMatches, rest))
  if (Result.isFailure(decoded)) return pageResponse(consentPage(viewer, consent, decoded.failure), 400)
  const [{ input }] = decoded.success
  return yield* approve(visitor, consent, sent, input)
})

const CodeMatches = Schema.Struct({
  codeMatches: requiredCheckbox("Compare the code with the one that your agent shows, and tick the box.")
})

const textOf = (sent: FormSubmission["fields"][string] | undefined): string | undefined =>
  typeof sent === "string" ? sent : undefined

const approve = Effect.fnUntraced(function* (
  visitor: Visitor,
  consent: Consent,
  sent: FormSubmission,
  input: ApprovalInput
) {
  const { person, viewer } = visitor
  const { connection, choices } = consent
  return yield* approveConnection(person, connection.connectionId, input).pipe(
    Effect.flatMap(({ grantId, isFirst }) =>
      Effect.gen(function* () {
        if (!isFirst) return yield* approvedBefore(visitor, connection, grantId)
        return yield* answered(visitor, connection, {
          did: "You approved the connection.",
          next: "The agent fetches its token within a few seconds, and can act then."
        })
      })
    ),
    Effect.catchTag("Refusal", (refused) =>
      Effect.gen(function* () {
        if (refused.code === "RECENT_SIGN_IN_REQUIRED") {
          return refusedResponse(signInAgainPage(viewer, consentPath(connection, choices)), refused)
        }
        const again = yield* readChoicesAgain(visitor, choices, input)(refused)
        const state = { sent: sent.fields, problems: again.problems }
        return refusedResponse(consentPage(viewer, { ...consent, choices: again.choices }, state), refused)
      })
    )
  )
})

/** The page of the answered connection; its code is no longer needed. */
const answered = (visitor: Visitor, { connectionId }: ConnectionRequest, acknowledgement: Acknowledgement) =>
  Effect.map(acknowledge(visitor, connectionPath(connectionId), acknowledgement), clearCookie("userCode"))

/** Already approved in another tab: shows the existing grant. */
const approvedBefore = (visitor: Visitor, connection: ConnectionRequest, grantId: string) =>
  Effect.map(approvedPage(visitor, connection, grantId, { isLate: true }), (html) => pageResponse(html, 409))

export const consentPages = Layer.mergeAll(showConsent, takeAnswer)
