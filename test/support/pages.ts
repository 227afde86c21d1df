/** Pages of a test behind the service's edge, without the rest of the service. */
import { Effect, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { edge } from "../../src/http/edge.ts"
import { load, type Load } from "../../src/http/load.ts"
import { Installation } from "../../src/ports/installation.ts"
import type { Secrets } from "../../src/ports/secrets.ts"
import { Storage } from "../../src/ports/storage.ts"
import { HttpApp, routerConfig, type Ports } from "../../src/service.ts"
import type { CommittedEvents } from "../../src/projects/committed-events.ts"
import type { RecordIssuance } from "../../src/projects/issuance.ts"
import { projectParties } from "../../src/projects/parties.ts"
import { proposalParties } from "../../src/proposals/parties.ts"
import { recordIssuance } from "../../src/records/record-issuance-layer.ts"
import { committedEvents } from "../../src/webhooks/committed-events-layer.ts"
import type { ProjectParties, ProposalParties } from "../../src/access/scope.ts"
import {
  legalDocument,
  legalText,
  siteUrl,
  testMail,
  testPayments,
  testSecrets,
  testSigner,
  testSignIn,
  testWakeup
} from "./service.ts"

type Needs = Ports | CommittedEvents | ProjectParties | ProposalParties | RecordIssuance | Load

export type PageRoutes = Layer.Layer<never, never, HttpRouter.HttpRouter | HttpRouter.Request.From<"Requires", Needs>>

export interface PagesOptions {
  /** The site address that the pages use. */
  readonly url?: string
  /** The storage that pages read, if any. */
  readonly storage?: Layer.Layer<Storage>
}

/** A service of these routes only, with the storage available to the test. */
export const pagesApp = (
  routes: PageRoutes,
  { url = siteUrl, storage = Layer.mock(Storage)({}) }: PagesOptions = {}
): Layer.Layer<HttpApp | Storage | Secrets | SecureRandom.SecureRandom> =>
  Layer.effect(
    HttpApp,
    Effect.gen(function* () {
      const context = yield* Effect.context<Needs>()
      const app = yield* HttpRouter.toHttpEffect(Layer.merge(edge, routes)).pipe(
        Effect.provideService(HttpRouter.RouterConfig, routerConfig)
      )
      return Effect.provideContext(app, context)
    })
  ).pipe(
    Layer.provide(recordIssuance),
    Layer.provide(committedEvents),
    Layer.provideMerge(Layer.mergeAll(storage, testSecrets, SecureRandom.layerWebCrypto)),
    Layer.provide([
      installationAt(url),
      HttpServer.layerServices,
      load,
      testSigner,
      testSignIn(),
      testMail(),
      testPayments(),
      projectParties,
      proposalParties,
      testWakeup,
      instanceCaches,
      clientScripts
    ]),
    Layer.provideMerge(Logger.layer([]))
  )

export const installationAt = (url: string) =>
  Layer.succeed(Installation, {
    siteUrl: url,
    legalTexts: [{ ...legalDocument, url: `${url}/legal/TERMS/1`, text: legalText }],
    prerequisites: []
  })
