/** The production layers of every port, from the environment. */
import { instanceCaches } from "../ports/caches.ts"
import { createServer } from "node:http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Console, Effect, Layer, Logger, Option, References, Runtime, Data } from "effect"
import { HttpMiddleware, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Otlp, PrometheusMetrics } from "effect/observability"
import { checkedConfiguration, type StartKind } from "../adapters/checks/start.ts"
import { Configuration, ConfigurationError } from "../adapters/configuration.ts"
import * as ClientScriptFiles from "../adapters/client-scripts.ts"
import * as Database from "../adapters/database.ts"
import { listenError } from "../adapters/http-server.ts"
import * as InstallationFiles from "../adapters/installation.ts"
import * as InstallationKeys from "../adapters/installation-keys.ts"
import * as MailAdapter from "../adapters/mail.ts"
import * as PaymentsAdapter from "../adapters/payments.ts"
import { ProcessRole } from "../adapters/notifications.ts"
import * as Random from "../adapters/random.ts"
import { answerReloadRequests } from "../adapters/reload-requests.ts"
import * as RunningKeys from "../adapters/running-keys.ts"
import * as SignInAdapter from "../adapters/sign-in/layer.ts"
import { rateLimitsLayer } from "../http/rate-limits.ts"
import { shutdownRequest } from "../ports/shutdown-request.ts"
import { StorageUnavailable } from "../ports/storage.ts"
import { tlsCertificate } from "../ports/tls-certificate.ts"
import { Transport, transportRules } from "../http/transport.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"

const transport = Layer.effect(
  Transport,
  Effect.map(Configuration, ({ tlsCertFile, trustedProxies, requestsInFlight }) =>
    transportRules({ endsTls: Option.isSome(tlsCertFile), trustedProxies, requestsInFlight })
  )
)

const rates = Layer.unwrap(
  Effect.map(Configuration, ({ ratePerCredential, ratePerAddress }) =>
    rateLimitsLayer({
      ...(Option.isSome(ratePerCredential) ? { perCredential: ratePerCredential.value } : {}),
      ...(Option.isSome(ratePerAddress) ? { perAddress: ratePerAddress.value } : {})
    })
  )
)

/** Without a receiver no span is made. */
export const telemetry = Layer.unwrap(
  Effect.map(Configuration, ({ telemetryUrl }) =>
    Option.match(telemetryUrl, {
      onNone: () => Layer.succeed(References.TracerEnabled, false),
      onSome: (baseUrl) =>
        Otlp.layerJson({ baseUrl, resource: { serviceName: "countersign" } }).pipe(
          Layer.provide(NodeHttpClient.layerUndici)
        )
    })
  )
)

// Without a router: a router would be shared with the service, as every layer is, and take its routes.
const metricsAnswer = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const [path] = url.split("?", 1)
  if (path !== "/metrics" || (method !== "GET" && method !== "HEAD")) return HttpServerResponse.empty({ status: 404 })
  return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
    contentType: "text/plain; version=0.0.4; charset=utf-8"
  })
})

/** Prometheus metrics on a separate port, reachable from this machine only. */
export const metrics = Layer.unwrap(
  Effect.map(Configuration, ({ metricsPort }) =>
    Option.match(metricsPort, {
      onNone: () => Layer.empty,
      onSome: (port) =>
        HttpServer.serve(metricsAnswer).pipe(
          Layer.provide(NodeHttpServer.layer(createServer, { port, host: "127.0.0.1" })),
          Layer.catchTag("ServeError", ({ cause }) =>
            Layer.effectDiscard(Effect.fail(listenError("METRICS_PORT", `127.0.0.1:${port}`, cause)))
          )
        )
    })
  )
)

const webhookTiming = Layer.effect(
  ConfiguredWebhookTiming,
  Effect.map(Configuration, (configuration) => configuration.webhookTiming)
)

/** The layers of every command: the ports, telemetry and the logger. Only `serve` owns the embedded database. */
const portsOn = <Keys, E, R>(database: typeof Database.layer, keys: Layer.Layer<Keys, E, R>, kind: StartKind) =>
  Layer.mergeAll(
    Layer.provideMerge(keys, database),
    InstallationFiles.layer,
    MailAdapter.layer,
    PaymentsAdapter.layer,
    webhookTiming,
    instanceCaches,
    telemetry,
    Random.layer,
    Logger.layer([Logger.consoleJson])
  ).pipe(
    // Before anything is opened, so that one start reports every problem to the operator.
    Layer.provideMerge(checkedConfiguration(kind))
  )

/** The keys of a process that signals and commands can reload. */
const reloadableKeys = Layer.provideMerge(answerReloadRequests, RunningKeys.layer)

/** A command beside a server, or alone: it does not change the record of the keys. */
export const besideServer = portsOn(Database.layerBesideServer, InstallationKeys.layerWithoutRecording, "BESIDE_SERVER")

/** The workers without a server; they sign as a server does. */
export const workersOnly = portsOn(Database.layerBesideServer, reloadableKeys, "BESIDE_SERVER").pipe(
  Layer.provide(Layer.succeed(ProcessRole, "worker"))
)

/** The HTTP edge creates the span of a request. */
const ownSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** The server: the ports, and the layers in front of its operations. */
export const production = Layer.mergeAll(
  SignInAdapter.layer,
  ClientScriptFiles.layer,
  transport,
  rates,
  metrics,
  ownSpans,
  shutdownRequest,
  HttpServer.layerServices
).pipe(
  Layer.provideMerge(portsOn(Database.layer, reloadableKeys, "SERVER")),
  Layer.provideMerge(tlsCertificate),
  Layer.provide(Layer.succeed(ProcessRole, "serve"))
)

export class CommandFailure extends Data.TaggedError("CommandFailure")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 1
  override readonly [Runtime.errorReported] = false
}

/** A check ended, with findings. */
export class CheckFindings extends Data.TaggedError("CheckFindings")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 1
  override readonly [Runtime.errorReported] = false
}

/** A check could not be made, which must not look like one with findings. */
export class UnusableCommand extends Data.TaggedError("UnusableCommand")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
  override readonly [Runtime.errorReported] = false
}

/** Reports an error that stops a command to the operator, one line per problem and no stack trace. */
export const reportFailure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catch(unavailableAsFailure(effect), (error) => {
    const message = error instanceof Error && error.message !== "" ? error.message : String(error)
    const lines = error instanceof ConfigurationError ? error.problems : [message]
    const printed = Effect.forEach(lines, (line) => Console.error(`countersign: ${line}`))
    return Effect.andThen(printed, Effect.fail(new CommandFailure({ message })))
  })

export const unavailableAsFailure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(effect, (defect) => {
    if (!(defect instanceof StorageUnavailable)) return Effect.die(defect)
    const indeterminate = defect.mayBeCommitted
      ? "; it is unknown whether the change was committed: check it before a retry"
      : ""
    return Effect.fail(
      new CommandFailure({ message: `the database cannot serve now: ${defect.reason}${indeterminate}` })
    )
  })
