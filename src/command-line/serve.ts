/** `countersign serve`: the service, its workers and, without `DATABASE_URL`, its database. */
import { Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import * as WebhookSenderAdapter from "../adapters/webhook-sender/layer.ts"
import { missingScriptsText } from "../adapters/client-scripts.ts"
import { Configuration, siteUrlOf } from "../adapters/configuration.ts"
import { listen } from "../adapters/http-server.ts"
import { databaseMonitoring } from "../adapters/monitoring.ts"
import { partitionWorker } from "../adapters/partitions/layer.ts"
import { makeDirectory } from "../adapters/sign-in/directory.ts"
import { ClientScripts } from "../ports/client-scripts.ts"
import { Payments } from "../ports/payments.ts"
import type { WebhookSender } from "../ports/webhook-sender.ts"
import { SignIn } from "../ports/sign-in.ts"
import { connectionWorker } from "../access/worker.ts"
import { metrics, production, reportFailure, workersOnly } from "./production.ts"
import { reloadAtEach, withHangups } from "./hangup.ts"
import { longRunning } from "./shutdown.ts"
import { paymentWorker } from "../commerce/worker.ts"
import { issuanceWorker } from "../records/worker.ts"
import { Service } from "../service.ts"
import { committedEvents } from "../webhooks/committed-events-layer.ts"
import { webhookWorker } from "../webhooks/worker.ts"

const banner = Effect.gen(function* () {
  const configuration = yield* Configuration
  const site = siteUrlOf(configuration)
  const isEmbedded = Option.isNone(configuration.databaseUrl)
  yield* Console.error(
    [
      `Countersign listens on ${site}`,
      isEmbedded
        ? `  data and keys  ${configuration.dataDirectory} (made at the first start; keep the keys, back up the data)`
        : "  data           the Postgres of DATABASE_URL",
      `  API            ${site}/api/agents/v1/openapi.json`,
      `  ready?         ${site}/readyz`,
      ...(yield* signInLines),
      `  payments       ${yield* paymentsLine}`,
      ...(yield* scriptLines),
      `  next           ${nextPage(site)}`
    ].join("\n")
  )
})

/** A checkout has the learning pages beside it; the installed package serves the reference. */
const nextPage = (site: string): string =>
  import.meta.filename.endsWith(".ts") ? "docs/learning/first-record.md" : `${site}/docs`

const scriptLines = Effect.map(ClientScripts, ({ pages, verifier }) =>
  pages === undefined || verifier === undefined ? [`  pages          without script: ${missingScriptsText}`] : []
)

const paymentsLine = Effect.map(Payments, (payments) =>
  payments.kind === "NONE"
    ? "not configured; set STRIPE_SECRET_KEY to let results be offered and paid"
    : `${payments.provider}, ${payments.environment}, in ${payments.currencies.join(", ")}`
)

/** How people sign in. The first password of a new directory is printed here, only this once. */
const signInLines = Effect.gen(function* () {
  const configuration = yield* Configuration
  const pages = `${siteUrlOf(configuration)}/workspace/`
  const { kind } = yield* SignIn
  if (kind === "NONE") {
    return [
      "  People cannot sign in: set OIDC_ISSUER, OIDC_CLIENT_ID and, where the provider gave one, OIDC_CLIENT_SECRET."
    ]
  }
  if (kind === "OPENID_CONNECT") {
    return [
      `  people         ${pages} (sign in at ${Option.getOrElse(configuration.oidcIssuer, () => "the provider")})`
    ]
  }
  const owner = yield* makeDirectory(configuration.dataDirectory)
  return [
    `  people         ${pages} (passwords are set by \`countersign admin set-password\`)`,
    ...Option.match(owner, {
      onNone: () => [],
      onSome: ({ name, password }) => [`  sign in as     ${name}, password ${password} (shown this once)`]
    })
  ]
})

/** The background workers of the service; webhooks are sent by this sender. */
const workersWith = <E, R>(sender: Layer.Layer<WebhookSender, E, R>) =>
  Layer.mergeAll(
    issuanceWorker.pipe(Layer.provide(committedEvents)),
    connectionWorker,
    paymentWorker,
    databaseMonitoring,
    partitionWorker,
    webhookWorker.pipe(Layer.provide(sender))
  )

const workers = workersWith(WebhookSenderAdapter.layer)

export const serve = Command.make("serve", {}, () =>
  withHangups((nextHangup) =>
    Effect.gen(function* () {
      const stopAccepting = yield* listen
      // Finalizers run from the last to the first: no new connections, then the workers stop, then requests are drained.
      yield* Layer.build(workers)
      yield* Effect.addFinalizer(() => stopAccepting)
      yield* banner
      return yield* reloadAtEach(nextHangup)
    }).pipe(Effect.scoped, Effect.provide(Service.pipe(Layer.provideMerge(production))))
  ).pipe(reportFailure, longRunning)
).pipe(Command.withDescription("Serve the agent API, with its workers; without DATABASE_URL on an embedded Postgres"))

/** A process without a server. */
export const workerWith = <E, R>(sender: Layer.Layer<WebhookSender, E, R>) =>
  Layer.merge(workersWith(sender), metrics).pipe(Layer.provideMerge(workersOnly))

export const worker = Command.make("worker", {}, () =>
  withHangups((nextHangup) => Effect.provide(reloadAtEach(nextHangup), workerWith(WebhookSenderAdapter.layer))).pipe(
    reportFailure,
    longRunning
  )
).pipe(Command.withDescription("Run the workers alone, beside servers on the same Postgres"))
