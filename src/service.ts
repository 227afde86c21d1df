/**
 * The whole service as one Layer. Its requirements are its ports; the server and the simulator differ only in their
 * implementations of these.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpRouter, type HttpServerError, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { capabilityHandlers, connectionHandlers, meHandlers } from "./access/handlers.ts"
import { accountHandlers, approvalHandlers, ownGrantHandlers } from "./access/human-handlers.ts"
import { Api } from "./api.ts"
import { bearer } from "./access/bearer.ts"
import type { ProjectParties, ProposalParties } from "./access/scope.ts"
import { discoveryHandlers } from "./discovery/handlers.ts"
import { preparedDraftHandlers } from "./drafts/handlers.ts"
import { draftHandlers } from "./drafts/human-handlers.ts"
import { documents } from "./documents/document.ts"
import { strictBody } from "./http/body.ts"
import { edge } from "./http/edge.ts"
import { guard } from "./http/guard.ts"
import { health } from "./http/health.ts"
import { load, type Load } from "./http/load.ts"
import { root } from "./http/root.ts"
import { jobHandlers } from "./jobs/handlers.ts"
import { assistantBearer } from "./participation/bearer.ts"
import { participationHandlers } from "./participation/handlers.ts"
import { itemHandlers } from "./participation/human-handlers.ts"
import type { CallbackWakeup } from "./ports/callback-wakeup.ts"
import type { Installation } from "./ports/installation.ts"
import type { Mail } from "./ports/mail.ts"
import type { Secrets } from "./ports/secrets.ts"
import type { SignIn } from "./ports/sign-in.ts"
import type { Signer } from "./ports/signer.ts"
import type { Storage } from "./ports/storage.ts"
import { contactHandlers, invitationHandlers, memberHandlers, sessionHandlers } from "./people/human-handlers.ts"
import { humanSession } from "./people/session.ts"
import { acceptanceHandlers, projectHandlers } from "./projects/handlers.ts"
import { projectCommandHandlers } from "./projects/human-commands-handlers.ts"
import { ownProjectHandlers } from "./projects/human-handlers.ts"
import type { RecordIssuance } from "./projects/issuance.ts"
import type { CommittedEvents } from "./projects/committed-events.ts"
import { legalTexts } from "./projects/legal-texts.ts"
import { projectParties } from "./projects/parties.ts"
import { PublicApi } from "./public-api.ts"
import { proposalHandlers } from "./proposals/handlers.ts"
import { ownProposalHandlers } from "./proposals/human-handlers.ts"
import { proposalParties } from "./proposals/parties.ts"
import { recordHandlers } from "./records/handlers.ts"
import { sharedRecordHandlers } from "./records/human-handlers.ts"
import { resultPackageHandlers } from "./records/package-handlers.ts"
import { published } from "./records/published.ts"
import { recordIssuance } from "./records/supply.ts"
import { limits } from "./vocabulary/limits.ts"
import { webhookHandlers } from "./webhooks/handlers.ts"
import { ownWebhookHandlers } from "./webhooks/human-handlers.ts"
import { committedEvents } from "./webhooks/supply.ts"
import { WorkspaceApi } from "./workspace-api.ts"
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
  Layer.provide([guard, bearer, assistantBearer, strictBody])
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
    resultPackageHandlers
  ]),
  Layer.provide([guard, humanSession, strictBody])
)

const publicOperations = HttpApiBuilder.layer(PublicApi).pipe(
  Layer.provide(discoveryHandlers),
  Layer.provide([guard, strictBody])
)

/** An address has one spelling; any other is unknown. */
export const routerConfig = {
  maxParamLength: limits.pathParameterCharacters,
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false
}

/** The ports that one capability implements for another. */
export const Supplies = Layer.mergeAll(projectParties, proposalParties, recordIssuance).pipe(
  Layer.provideMerge(committedEvents)
)

const Routes = Layer.mergeAll(
  edge,
  root,
  health,
  legalTexts,
  published,
  operations,
  personOperations,
  publicOperations,
  documents,
  workspace
)

/** The ports of the service. */
export type Ports =
  | Storage
  | CallbackWakeup
  | Signer
  | Secrets
  | SignIn
  | Installation
  | Mail
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
).pipe(Layer.provide(Supplies))

export const Service = Layer.provide(StatelessService, load)
