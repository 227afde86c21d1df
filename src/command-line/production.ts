/** The production side of every port, from the environment. */
import { createServer } from "node:http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Console, Effect, Layer, Logger, Option, Runtime, Data } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpMiddleware, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Otlp, PrometheusMetrics } from "effect/observability"
import { checkedConfiguration, type StartKind } from "../adapters/checks/start.ts"
import { Configuration, ConfigurationError } from "../adapters/configuration.ts"
import * as Database from "../adapters/database.ts"
import { listenError } from "../adapters/http-server.ts"
import * as InstallationFiles from "../adapters/installation.ts"
import * as InstallationKeys from "../adapters/installation-keys.ts"
import * as MailHere from "../adapters/mail.ts"
import * as SignInHere from "../adapters/sign-in/layer.ts"
import { ratesLayer } from "../http/rates.ts"
import { stopping } from "../ports/stopping.ts"
import { StorageUnavailable } from "../ports/storage.ts"
import { Transport, transportRules } from "../http/transport.ts"
import { CallbackPace } from "../ports/callback-pace.ts"

const transport = Layer.effect(
  Transport,
  Effect.map(Configuration, ({ tlsCertFile, trustedProxies, requestsInFlight }) =>
    transportRules({ endsTls: Option.isSome(tlsCertFile), trustedProxies, requestsInFlight })
  )
)

const rates = Layer.unwrap(
  Effect.map(Configuration, ({ ratePerCredential, ratePerAddress }) =>
    ratesLayer({
      ...(Option.isSome(ratePerCredential) ? { perCredential: ratePerCredential.value } : {}),
      ...(Option.isSome(ratePerAddress) ? { perAddress: ratePerAddress.value } : {})
    })
  )
)

const telemetry = Layer.unwrap(
  Effect.map(Configuration, ({ telemetryUrl }) =>
    Option.match(telemetryUrl, {
      onNone: () => Layer.empty,
      onSome: (baseUrl) =>
        Otlp.layerJson({ baseUrl, resource: { serviceName: "countersign" } }).pipe(
          Layer.provide(NodeHttpClient.layerUndici)
        )
    })
  )
)

// Without a router: one of its own would be shared with the service, as every layer is, and take its routes.
const metricsAnswer = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const [path] = url.split("?", 1)
  if (path !== "/metrics" || (method !== "GET" && method !== "HEAD")) return HttpServerResponse.empty({ status: 404 })
  return HttpServerResponse.text(yield* PrometheusMetrics.format(), {
    contentType: "text/plain; version=0.0.4; charset=utf-8"
  })
})

/** Prometheus on a port of its own, reachable from this machine only. */
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

const callbackPace = Layer.effect(
  CallbackPace,
  Effect.map(Configuration, (given) => given.callbackPace)
)

/** What every command has: the ports, telemetry and the logger. Only `serve` owns the embedded database. */
const portsOn = (database: typeof Database.layer, keys: typeof InstallationKeys.layer, starting: StartKind) =>
  Layer.mergeAll(
    Layer.provideMerge(keys, database),
    InstallationFiles.layer,
    MailHere.layer,
    callbackPace,
    telemetry,
    SecureRandom.layerWebCrypto,
    Logger.layer([Logger.consoleJson])
  ).pipe(
    // Before anything is opened, so that one start tells an operator of everything that is wrong.
    Layer.provideMerge(checkedConfiguration(starting))
  )

/** A command beside a server, or alone: it changes nothing of what is recorded of the keys. */
export const besideServer = portsOn(Database.layerJoined, InstallationKeys.layerUnrecorded, "BESIDE_SERVER")

/** The workers alone, which sign as a server does. */
export const workersAlone = portsOn(Database.layerJoined, InstallationKeys.layer, "BESIDE_SERVER")

/** The edge makes the span of a request itself. */
const ownSpans = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** The server: the ports, and what stands before its operations. */
export const production = Layer.mergeAll(
  SignInHere.layer,
  transport,
  rates,
  metrics,
  ownSpans,
  stopping,
  HttpServer.layerServices
).pipe(Layer.provideMerge(portsOn(Database.layer, InstallationKeys.layer, "SERVER")))

export class Stopped extends Data.TaggedError("Stopped")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 1
  override readonly [Runtime.errorReported] = false
}

/** What keeps a command from running is told to the operator, one line for each problem and no stack. */
export const reported = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catch(unavailableAsFailure(effect), (error) => {
    const message = error instanceof Error && error.message !== "" ? error.message : String(error)
    const lines = error instanceof ConfigurationError ? error.problems : [message]
    const told = Effect.forEach(lines, (line) => Console.error(`countersign: ${line}`))
    return Effect.andThen(told, Effect.fail(new Stopped({ message })))
  })

export const unavailableAsFailure = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(effect, (defect) => {
    if (!(defect instanceof StorageUnavailable)) return Effect.die(defect)
    const unknown = defect.mayBeCommitted ? "; it is unknown whether the change was committed: look before a retry" : ""
    return Effect.fail(new Stopped({ message: `the database cannot serve now: ${defect.reason}${unknown}` }))
  })
