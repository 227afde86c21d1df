/**
 * The whole service as one Layer. Its requirements are its ports; the server and the simulator differ only in their
 * implementations of these.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpRouter, type HttpServerError, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { capabilityHandlers, connectionHandlers, meHandlers } from "./handlers/agents/access.ts"
import { accountHandlers, approvalHandlers, ownGrantHandlers } from "./handlers/people/access.ts"
import { Api } from "./api/agents.ts"
import { bearer } from "./access/bearer.ts"
import type { ProjectParties, ProposalParties } from "./access/scope.ts"
import { paymentNotificationHandlers } from "./handlers/public/payments.ts"
import { providerHandlers } from "./handlers/public/publications.ts"
import { discoveryHandlers } from "./handlers/public/specifications.ts"
import { preparedDraftHandlers } from "./handlers/agents/drafts.ts"
import { draftHandlers } from "./handlers/people/drafts.ts"
import { agentGuide } from "./documents/agent-guide.ts"
import { documents } from "./documents/document.ts"
import { wellKnownRoutes } from "./documents/well-known.ts"
import { strictBody } from "./http/body.ts"
import { edge } from "./http/edge.ts"
import { requestGuard } from "./http/request-guard.ts"
import { health } from "./http/health.ts"
import { load, type Load } from "./http/load.ts"
import { root } from "./http/root.ts"
import { jobHandlers } from "./handlers/agents/jobs.ts"
import { assistantBearer } from "./participation/bearer.ts"
import { participationHandlers } from "./handlers/agents/participation.ts"
import { itemHandlers } from "./handlers/people/participation.ts"
import type { Caches } from "./ports/caches.ts"
import type { ClientScripts } from "./ports/client-scripts.ts"
import type { WebhookWakeup } from "./ports/webhook-wakeup.ts"
import type { Installation } from "./ports/installation.ts"
import type { Mail } from "./ports/mail.ts"
import type { Payments } from "./ports/payments.ts"
import type { Secrets } from "./ports/secrets.ts"
import type { SignIn } from "./ports/sign-in.ts"
import type { Signer } from "./ports/signer.ts"
import type { Storage } from "./ports/storage.ts"
import { contactHandlers, invitationHandlers, memberHandlers, sessionHandlers } from "./handlers/people/people.ts"
import { sessionAuthentication } from "./people/session-authentication.ts"
import { acceptanceHandlers, projectHandlers } from "./handlers/agents/projects.ts"
import { projectCommandHandlers } from "./handlers/people/project-commands.ts"
import { ownProjectHandlers } from "./handlers/people/projects.ts"
import type { RecordIssuance } from "./projects/issuance.ts"
import type { CommittedEvents } from "./projects/committed-events.ts"
import { legalTextRoutes } from "./projects/legal-texts.ts"
import { projectParties } from "./projects/parties.ts"
import { PublicApi } from "./api/public.ts"
import { proposalHandlers } from "./handlers/agents/proposals.ts"
import { ownProposalHandlers } from "./handlers/people/proposals.ts"
import { proposalParties } from "./proposals/parties.ts"
import { recordHandlers } from "./handlers/agents/records.ts"
import { sharedRecordHandlers } from "./handlers/people/records.ts"
import { historyReferenceHandlers, transactionClosureHandlers } from "./handlers/people/closure.ts"
import { commerceRecordHandlers, recipientAccountHandlers, resultOrderHandlers } from "./handlers/people/commerce.ts"
import { resultPackageHandlers } from "./handlers/people/packages.ts"
import { projectPublicationHandlers } from "./handlers/people/publications.ts"
import { recordIssuance } from "./records/record-issuance-layer.ts"
import { limits } from "./vocabulary/limits.ts"
import { webhookHandlers } from "./handlers/agents/webhooks.ts"
import { ownWebhookHandlers } from "./handlers/people/webhooks.ts"
import { committedEvents } from "./webhooks/committed-events-layer.ts"
import { WorkspaceApi } from "./api/people.ts"
import { workspace } from "./workspace/routes.ts"

/** Answers one HTTP request. */
export class HttpApp extends Context.Service<
  HttpApp,
  Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    HttpServerError.HttpServerError,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
>()("countersign/HttpApp") {}

const operations = HttpApiBuilder.layer(Api).pipe(
  Layer.provide([
    capabilityHandlers,
    connectionHandlers,
    meHandlers,
    acceptanceHandlers,
    preparedDraftHandlers,
    projectHandlers,
    proposalHandlers,
    jobHandlers,
    webhookHandlers,
    recordHandlers,
    participationHandlers
  ]),
  Layer.provide([requestGuard, bearer, assistantBearer, strictBody])
)

const personOperations = HttpApiBuilder.layer(WorkspaceApi).pipe(
  Layer.provide([
    sessionHandlers,
    accountHandlers,
    memberHandlers,
    invitationHandlers,
    contactHandlers,
    approvalHandlers,
    ownGrantHandlers,
    ownProjectHandlers,
    projectCommandHandlers,
    ownProposalHandlers,
    draftHandlers,
    ownWebhookHandlers,
    itemHandlers,
    sharedRecordHandlers,
    resultPackageHandlers,
    projectPublicationHandlers,
    resultOrderHandlers,
    recipientAccountHandlers,
    commerceRecordHandlers,
    transactionClosureHandlers,
    historyReferenceHandlers
  ]),
  Layer.provide([requestGuard, sessionAuthentication, strictBody])
)

const publicOperations = HttpApiBuilder.layer(PublicApi).pipe(
  Layer.provide([discoveryHandlers, providerHandlers, paymentNotificationHandlers]),
  Layer.provide([requestGuard, strictBody])
)

/** An address has one spelling; any other is unknown. */
export const routerConfig = {
  maxParamLength: limits.pathParameterCharacters,
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false
}

/** The ports that one capability implements for another. */
export const CapabilityPorts = Layer.mergeAll(projectParties, proposalParties, recordIssuance).pipe(
  Layer.provideMerge(committedEvents)
)

const Routes = Layer.mergeAll(
  edge,
  root,
  health,
  legalTextRoutes,
  wellKnownRoutes,
  operations,
  personOperations,
  publicOperations,
  documents,
  agentGuide,
  workspace
)

/** The ports of the service. */
export type Ports =
  | Storage
  | Caches
  | ClientScripts
  | WebhookWakeup
  | Signer
  | Secrets
  | SignIn
  | Installation
  | Mail
  | Payments
  | SecureRandom.SecureRandom

/** Answers requests without state of its own: the counts of a process (`Load`) are provided to it. */
export const StatelessService = Layer.effect(
  HttpApp,
  Effect.gen(function* () {
    const context = yield* Effect.context<
      Ports | CommittedEvents | RecordIssuance | ProjectParties | ProposalParties | Load
    >()
    const app = yield* HttpRouter.toHttpEffect(Routes).pipe(
      Effect.provideService(HttpRouter.RouterConfig, routerConfig)
    )
    return Effect.provideContext(app, context)
  })
).pipe(Layer.provide(CapabilityPorts))

export const Service = Layer.provide(StatelessService, load)
