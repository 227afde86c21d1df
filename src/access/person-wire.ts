/** Operations of people on agents: answer connections; create, renew and revoke grants; create and remove their account. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { nextPage } from "../http/next-page.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { OrganizationId } from "../people/wire.ts"
import { forPeople } from "../people/session-authentication.ts"
import { idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { actions, guardedActions, roles } from "./actions.ts"
import { connectionStates } from "./connection.ts"
import { Grant, SubjectRequirement } from "./wire.ts"

const eachOnce = <S extends Schema.Constraint>(item: S, count: number) =>
  Schema.Array(item).check(Schema.isMaxLength(count), Schema.isUnique())

/** The choices of a person for an agent, for a connection or a new grant. */
const chosen = {
  organizationId: OrganizationId,
  role: Schema.Literals(roles),
  projectIds: eachOnce(idOf("delivery"), limits.projectsPerGrant),
  proposalIds: Schema.optionalKey(eachOnce(idOf("proposal"), limits.proposalsPerGrant)),
  actions: eachOnce(Schema.Literals(actions), actions.length),
  consents: eachOnce(Schema.Literals(guardedActions), guardedActions.length).annotate({
    description: "The guarded actions among them, each with its own consent."
  }),
  subjectRequirements: Schema.Array(SubjectRequirement).check(Schema.isMaxLength(limits.subjectRequirements)),
  expiresAt: Schema.optionalKey(Instant)
}

/** The agent's own text: to be displayed as untrusted. */
export const AskingConnection = Schema.Struct({
  connectionId: Schema.String,
  agentName: Schema.String,
  client: Schema.String,
  origin: Schema.NullOr(Schema.String),
  requestedRole: Schema.NullOr(Schema.Literals(roles)),
  requestedActions: Schema.Array(Schema.Literals(actions)),
  createdAt: Instant,
  expiresAt: Instant,
  state: Schema.Literals(connectionStates)
}).annotate({ identifier: "AskingConnection" })

const ApproveConnection = Schema.Struct({
  codeMatches: Schema.Literals([true]).annotate({ description: "The person compared the code with the agent's." }),
  ...chosen
}).annotate({ identifier: "ApproveConnection" })

const ConnectionPath = { connectionId: idOf("connection") }

export class Approvals extends HttpApiGroup.make("approvals", { topLevel: true })
  .add(
    HttpApiEndpoint.post("enterUserCode", "/connections/enter", {
      payload: Schema.Struct({ userCode: textUpTo(limits.titleCharacters) }),
      success: Schema.Struct({ connectionId: Schema.String }),
      error: refuses("TOO_MANY_ATTEMPTS", "USER_CODE_UNKNOWN")
    }).annotateMerge(titled("Enter the code that an agent shows; the first session to do so owns the connection")),
    HttpApiEndpoint.get("readConnection", "/connections/:connectionId", {
      params: ConnectionPath,
      success: AskingConnection,
      error: refuses("USER_CODE_UNKNOWN")
    }).annotateMerge(titled("The request of an agent")),
    HttpApiEndpoint.post("approveConnection", "/connections/:connectionId/approve", {
      params: ConnectionPath,
      payload: ApproveConnection,
      success: Schema.Struct({ connectionId: Schema.String, grantId: Schema.String }),
      error: refuses(...checks.grantChoice, "CONNECTION_DENIED", "STATE_CONFLICT", "USER_CODE_UNKNOWN")
    }).annotateMerge(titled("Approve the connection with exactly the chosen authority")),
    HttpApiEndpoint.post("denyConnection", "/connections/:connectionId/deny", {
      params: ConnectionPath,
      success: Schema.Struct({ connectionId: Schema.String }),
      error: refuses("STATE_CONFLICT", "USER_CODE_UNKNOWN")
    }).annotateMerge(titled("Deny the connection"))
  )
  .pipe(forPeople) {}

export const OwnGrant = Schema.Struct({
  ...Grant.fields,
  agentName: Schema.String,
  generation: Schema.Int,
  revokedAt: Schema.NullOr(Instant),
  isParentLive: Schema.Boolean.annotate({
    description: "False where its membership has ended or lost DELEGATE."
  }),
  isCollected: Schema.Boolean,
  lastUsedAt: Schema.NullOr(Instant)
}).annotate({ identifier: "OwnGrant" })

/** The only response of the workspace API that contains an agent's token. */
export const ShownCredential = Schema.Struct({
  token: Schema.String,
  grantId: Schema.String,
  agentId: Schema.String,
  generation: Schema.Int,
  expiresAt: Instant
}).annotate({ identifier: "ShownCredential" })

const CreateGrant = Schema.Struct({
  requestId: UuidV4,
  agentName: textUpTo(limits.titleCharacters),
  ...chosen
}).annotate({ identifier: "CreateGrant" })

const RenewGrant = Schema.Struct({
  requestId: UuidV4,
  expectedGeneration: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  expiresAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "RenewGrant" })

const GrantPath = { grantId: idOf("grant") }

export const Presets = Schema.Struct({
  presets: Schema.Array(
    Schema.Struct({
      role: Schema.Literals(roles),
      name: Schema.String,
      actions: Schema.Array(Schema.Literals(actions))
    })
  ),
  guardedActions: Schema.Array(Schema.Literals(guardedActions))
}).annotate({ identifier: "Presets" })

export class OwnGrants extends HttpApiGroup.make("ownGrants", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listGrants", "/grants", {
      query: { after: Schema.optionalKey(GrantPath.grantId) },
      success: Schema.Struct({ grants: Schema.Array(OwnGrant), next: nextPage })
    }).annotateMerge(titled(`The grants that this person authorized, newest first, ${limits.entriesListed} on a page`)),
    HttpApiEndpoint.get("readGrant", "/grants/:grantId", {
      params: GrantPath,
      success: OwnGrant,
      error: refuses("UNKNOWN_PARTY")
    }).annotateMerge(titled("One grant of this person")),
    HttpApiEndpoint.post("createGrant", "/grants", {
      payload: CreateGrant,
      success: ShownCredential.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.grantChoice, ...checks.requestId, "SECRET_ALREADY_SHOWN", "STATE_CONFLICT")
    }).annotateMerge(titled("Create a grant for an agent; only this response contains the token")),
    HttpApiEndpoint.post("renewGrant", "/grants/:grantId/renew", {
      params: GrantPath,
      payload: RenewGrant,
      success: ShownCredential,
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.authorityEvent,
        "RECENT_SIGN_IN_REQUIRED",
        "GENERATION_STALE",
        "GRANT_REVOKED",
        "SECRET_ALREADY_SHOWN",
        "UNKNOWN_PARTY"
      )
    }).annotateMerge(titled("Replace a grant's token; the earlier one becomes invalid")),
    HttpApiEndpoint.post("revokeGrant", "/grants/:grantId/revoke", {
      params: GrantPath,
      success: Schema.Struct({ grantId: Schema.String, revokedAt: Instant }),
      error: refuses(...checks.signer, "UNKNOWN_PARTY")
    }).annotateMerge(titled("Revoke a grant at once")),
    HttpApiEndpoint.get("readPresets", "/presets", { success: Presets }).annotateMerge(
      titled("The presets of grants, and the actions that need their own consent")
    )
  )
  .pipe(forPeople) {}

export class Account extends HttpApiGroup.make("account", { topLevel: true })
  .add(
    HttpApiEndpoint.post("makeAccount", "/account", {
      success: Schema.Struct({ organizationId: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: refuses("STATE_CONFLICT")
    }).annotateMerge(titled("Create a workspace for this person, where there is none")),
    HttpApiEndpoint.post("removeAccount", "/account/remove", {
      payload: Schema.Struct({ confirmed: Schema.Literals([true]) }),
      success: Schema.Struct({ organizationId: Schema.String, removedAt: Instant }),
      error: refuses(...checks.signer, "STATE_CONFLICT", "UNKNOWN_PARTY")
    }).annotateMerge(titled("Remove that workspace, and end every session and grant with it"))
  )
  .pipe(forPeople) {}
