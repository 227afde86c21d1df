/** A whole service on a database of its own, called through its real HTTP handlers in this process. */
import { Context, Effect, Layer, Logger, Option, Queue, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { Cookies, HttpClientRequest, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { generateKeyPairSync } from "node:crypto"
import { signerFrom } from "../../src/adapters/ed25519.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { sha256Hex } from "../../src/canonical/digest.ts"
import type { ProjectParties, ProposalParties } from "../../src/access/scope.ts"
import { migrations } from "../../src/migrations/all.ts"
import { secretsFrom } from "../../src/adapters/secrets.ts"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { Installation } from "../../src/ports/installation.ts"
import { Mail } from "../../src/ports/mail.ts"
import { Payments } from "../../src/ports/payments.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { SignIn } from "../../src/ports/sign-in.ts"
import { keyPurposes, Signer } from "../../src/ports/signer.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { CommittedEvents } from "../../src/projects/committed-events.ts"
import type { RecordIssuance } from "../../src/projects/issuance.ts"
import { HttpApp, Service, CapabilityPorts, type Ports } from "../../src/service.ts"
import { lockTables, tables } from "../../src/tables.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { assertDeclared } from "./declared-refusals.ts"
import { migratedDatabase } from "./postgres.ts"
import { newSimulatedPayments } from "./payments.ts"
import { describedSigner } from "./published-schemas.ts"

export const siteUrl = "https://countersign.test"

export const legalText = "Terms for tests."
export const legalDocument = { kind: "TERMS", version: "1", digest: sha256Hex(legalText) }

/** One issuer key for a test file, so that two services of one database sign alike. */
const privateKey = generateKeyPairSync("ed25519").privateKey

/** Every signed payload must be valid under the published schemas. */
export const testSigner = Layer.sync(Signer, () =>
  describedSigner(
    signerFrom({
      issuer: "countersign-test",
      environment: "test",
      keys: [
        {
          kid: "test-key",
          privateKey,
          validFrom: "2020-01-01T00:00:00.000Z" as Instant,
          validUntil: "2120-01-01T00:00:00.000Z" as Instant,
          revokedAt: null,
          purposes: keyPurposes
        }
      ]
    })
  )
)

export const testSecrets = Layer.sync(Secrets, () => secretsFrom([new Uint8Array(32).fill(7)]))

/** By default, people cannot sign in. */
export const testSignIn = (signIn: SignIn["Service"] = { kind: "NONE" }) => Layer.succeed(SignIn, signIn)

/** By default, no e-mail is sent. */
export const testMail = (mail: Mail["Service"] = { kind: "NONE" }) => Layer.succeed(Mail, mail)

/** By default, every service has a simulated payment provider of its own. */
export const testPayments = (payments?: Payments["Service"]) =>
  Layer.sync(Payments, () => payments ?? newSimulatedPayments())

/** Wakes the webhook workers of this process. */
export const testWakeup = Layer.effect(
  WebhookWakeup,
  Effect.map(Queue.sliding<void>(1), (rings) => ({
    notify: Effect.asVoid(Queue.offer(rings, undefined)),
    awaitNotification: Queue.take(rings)
  }))
)

export const testInstallation = Layer.succeed(Installation, {
  siteUrl,
  legalTexts: [{ ...legalDocument, url: `${siteUrl}/legal/TERMS/1`, text: legalText }],
  prerequisites: []
})

export const postgresStorage = (connection: ConnectionOptions, maxConnections = 10) =>
  PostgresStorage.layer({ connection, maxConnections, tables, lockTables, schema: schemaRangeOf(migrations) })

/** An empty, migrated database that is dropped with the scope. */
export const freshService: Effect.Effect<ConnectionOptions, never, Scope.Scope> = migratedDatabase

/** The service over one storage, with its ports available; it logs only to `hearing`. */
export const testService = (
  storage: Layer.Layer<Storage>,
  signIn?: SignIn["Service"],
  hearing: Layer.Layer<never> = Logger.layer([]),
  mail?: Mail["Service"],
  payments?: Payments["Service"]
): Layer.Layer<HttpApp | Ports | CommittedEvents | RecordIssuance | ProjectParties | ProposalParties> =>
  Layer.merge(Service, CapabilityPorts).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        testSigner,
        testSecrets,
        testSignIn(signIn),
        testInstallation,
        instanceCaches,
        clientScripts
      )
    ),
    Layer.provideMerge(Layer.merge(testMail(mail), testPayments(payments))),
    Layer.provideMerge(testWakeup),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provide(HttpServer.layerServices),
    Layer.provideMerge(hearing)
  )

/** The same on a fresh database. */
export const freshTestService = Layer.unwrap(
  Effect.map(freshService, (connection) => testService(postgresStorage(connection)))
)

export interface Answer {
  readonly status: number
  /** The body, if it is JSON. */
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The `Set-Cookie` headers. */
  readonly cookies: ReadonlyArray<string>
}

export interface SendOptions {
  readonly token?: string
  readonly body?: unknown
  /** The raw body, instead of `body`. */
  readonly raw?: string | Uint8Array
  /** Added last: they replace the headers of the body and the token. */
  readonly headers?: Readonly<Record<string, string>>
  /** The address of the peer; none if absent. */
  readonly from?: string
}

/** Sends one request through the real routes of the service in context. */
export const send = (
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE",
  path: string,
  options: SendOptions = {}
): Effect.Effect<Answer, never, HttpApp> =>
  Effect.gen(function* () {
    const app = yield* HttpApp
    let request = HttpClientRequest.make(method)(`http://in.process${path}`)
    if (options.token !== undefined) request = HttpClientRequest.bearerToken(request, options.token)
    const raw = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    if (raw !== undefined) {
      const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw
      request = HttpClientRequest.bodyUint8Array(request, bytes, "application/json")
    }
    request = HttpClientRequest.setHeaders(request, options.headers ?? {})
    const arrived = HttpServerRequest.fromClientRequest(request).modify({
      remoteAddress: Option.fromUndefinedOr(options.from)
    })
    const response = yield* app.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, arrived),
      Effect.map((answered) => HttpServerResponse.toClientResponse(answered, { request })),
      Effect.flatMap((answered) => Effect.map(answered.text, (body) => ({ answered, body }))),
      Effect.scoped,
      Effect.orDie
    )
    const { answered, body } = response
    const isJson = answered.headers["content-type"]?.startsWith("application/json") === true
    if (answered.status >= 400 && isJson && answered.status !== 500)
      assertDeclared(method, path, JSON.parse(body).error)
    return {
      status: answered.status,
      body: isJson ? JSON.parse(body) : undefined,
      text: body,
      headers: { ...answered.headers },
      cookies: Cookies.toSetCookieHeaders(answered.cookies)
    }
  })

export type TestContext = Context.Context<HttpApp | Ports | RecordIssuance | ProjectParties | ProposalParties>
