/** The agent API on the service and the caller's own grant (2.2, 2.3, 4.1). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "./bearer.ts"
import { BodyBytes, StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { hasVisibleCharacter } from "../canonical/visible-characters.ts"
import { CarriesSecret } from "../http/request-guard.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import { actions, humanDecisions, roles } from "./actions.ts"
import { PublishedLimits } from "./published-limits.ts"

export const SubjectRequirement = Schema.Struct({
  id: textUpTo(limits.titleCharacters),
  statement: textUpTo(limits.textCharacters),
  humanDecisions: Schema.Array(Schema.Literals(humanDecisions)).check(
    Schema.isMaxLength(humanDecisions.length),
    Schema.isUnique()
  )
}).annotate({ identifier: "SubjectRequirement" })

export const Grant = Schema.Struct({
  id: Schema.String,
  agentId: Schema.String,
  delegatedBy: Schema.String,
  authorizer: Schema.Struct({ personId: Schema.String, name: Schema.String }),
  tenantId: Schema.String,
  organizationId: Schema.String,
  role: Schema.Literals(roles),
  projectIds: Schema.Array(Schema.String),
  proposalIds: Schema.Array(Schema.String),
  actions: Schema.Array(Schema.Literals(actions)),
  subjectRequirements: Schema.Array(SubjectRequirement),
  createdAt: Instant,
  expiresAt: Instant,
  state: Schema.Literals(["ACTIVE", "REVOKED", "EXPIRED"])
}).annotate({ identifier: "Grant" })

export const AgentCapabilities = Schema.Struct({
  apiVersion: Schema.String,
  purchaseSupported: Schema.Boolean,
  supportedClients: Schema.Array(Schema.String),
  connection: Schema.Struct({ lifetimeSeconds: Schema.Int, interval: Schema.Int }),
  issuance: Schema.Struct({ automatic: Schema.Boolean, maxCredits: Schema.Int }),
  actions: Schema.Array(Schema.String),
  eventTypes: Schema.Array(Schema.String),
  limits: PublishedLimits
}).annotate({ identifier: "AgentCapabilities" })

// People decide by these texts: an invisible name would look like a missing one.
const requestText = textUpTo(limits.titleCharacters).check(
  Schema.makeFilter(hasVisibleCharacter, { message: "Expected at least one visible character" })
)

export const ConnectionRequest = Schema.Struct({
  agentName: requestText,
  client: requestText,
  requestedRole: Schema.optionalKey(Schema.Literals(roles)),
  requestedActions: Schema.optionalKey(
    Schema.Array(Schema.Literals(actions)).check(Schema.isMaxLength(actions.length), Schema.isUnique())
  )
}).annotate({ identifier: "ConnectionRequest" })

export const Connection = Schema.Struct({
  userCode: Schema.String,
  verificationUrl: Schema.String,
  deviceCode: Schema.String.annotate({
    description: "Private to the agent: its holder can collect the credential."
  }),
  interval: Schema.Int.annotate({ description: "Seconds to wait between two polls." }),
  expiresAt: Instant
}).annotate({ identifier: "Connection" })

export const ConnectionPoll = Schema.Struct({
  state: Schema.Literals(["PENDING", "SLOW_DOWN", "CONNECTED"]),
  message: Schema.String,
  interval: Schema.Int,
  credential: Schema.optionalKey(
    Schema.Struct({
      token: Schema.String,
      grantId: Schema.String,
      agentId: Schema.String,
      expiresAt: Instant
    })
  )
}).annotate({ identifier: "ConnectionPoll" })

/** Starting a connection grants nothing; only a person's approval does. */
export class Connections extends HttpApiGroup.make("connections", { topLevel: true })
  .add(
    HttpApiEndpoint.post("startConnection", "/connections", {
      payload: ConnectionRequest,
      success: Connection.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(titled("Ask a person for a credential"))
      .annotate(BodyBytes, limits.connectionRequestBytes)
      .annotate(CarriesSecret, true),
    HttpApiEndpoint.post("pollConnection", "/connections/poll", {
      payload: Schema.Struct({ deviceCode: Schema.String.check(Schema.isMaxLength(limits.titleCharacters)) }),
      success: ConnectionPoll,
      error: refuses("AUTH_INVALID", "CONNECTION_DENIED", "CONNECTION_EXPIRED")
    })
      .annotateMerge(titled("Poll a connection, and collect its credential after the approval"))
      .annotate(BodyBytes, limits.connectionRequestBytes)
      .annotate(CarriesSecret, true)
  )
  .middleware(StrictBody)
  .prefix("/api/agents/v1") {}

export class Capabilities extends HttpApiGroup.make("capabilities", { topLevel: true })
  .add(
    HttpApiEndpoint.get("capabilities", "/capabilities", {
      success: AgentCapabilities
    }).annotateMerge(titled("The capabilities and limits of this service"))
  )
  .middleware(StrictBody)
  .prefix("/api/agents/v1") {}

export class Me extends HttpApiGroup.make("me", { topLevel: true })
  .add(HttpApiEndpoint.get("me", "/me", { success: Grant }).annotateMerge(titled("The grant behind this credential")))
  .pipe(forAgents) {}
