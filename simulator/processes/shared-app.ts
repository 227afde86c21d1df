/**
 * The service as every process of every world has it, built once: making hundreds of routes costs far more than a run
 * that asks a few of them. Nothing of it belongs to a process or a world. It keeps nothing between requests, and each
 * of its ports is that of the process which runs the fiber that asks.
 */
import { Context, Effect, Fiber, Layer, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { Load } from "../../src/http/load.ts"
import { CallbackWakeup } from "../../src/ports/callback-wakeup.ts"
import { Installation } from "../../src/ports/installation.ts"
import { Mail } from "../../src/ports/mail.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { SignIn } from "../../src/ports/sign-in.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { HttpApp, StatelessService } from "../../src/service.ts"
import type { Ports } from "../ports.ts"
import { siteUrl } from "../surroundings.ts"

/** What a process has of its own: its ports, and what it counts. */
export type Own = Ports | Load | SecureRandom.SecureRandom

/** What the process has that runs a fiber. */
export const OfProcess = Context.Reference<Context.Context<Own> | undefined>("countersign/simulator/OfProcess", {
  defaultValue: () => undefined
})

/** Answers a request with what the process has that is named on the fiber. */
export const sharedApp = (): HttpApp["Service"] => (app ??= Context.get(Effect.runSync(built), HttpApp))

let app: HttpApp["Service"] | undefined

const own = <Id extends Own, Port>(port: Context.Key<Id, Port>): Port => {
  const has = Fiber.getCurrent()?.getRef(OfProcess)
  if (has === undefined) throw new Error(`no process asks for ${port.key}`)
  return Context.get(has, port)
}

/** Each member is read from the port of whoever asks, at the moment of asking. */
const forwarded = <Id extends Own, Port extends object>(port: Context.Key<Id, Port>): Port =>
  new Proxy(Object.create(null), { get: (_, member) => Reflect.get(own(port), member) })

const ports = Context.make(Storage, forwarded(Storage)).pipe(
  Context.add(Signer, forwarded(Signer)),
  Context.add(Secrets, forwarded(Secrets)),
  Context.add(SignIn, forwarded(SignIn)),
  Context.add(Mail, forwarded(Mail)),
  Context.add(Load, forwarded(Load)),
  Context.add(SecureRandom.SecureRandom, forwarded(SecureRandom.SecureRandom)),
  // What follows is read while the service is built, when no process asks yet.
  Context.add(CallbackWakeup, { ring: Effect.suspend(() => own(CallbackWakeup).ring), rung: Effect.never }),
  Context.add(Installation, {
    siteUrl,
    get legalTexts() {
      return own(Installation).legalTexts
    },
    get prerequisites() {
      return own(Installation).prerequisites
    }
  })
)

/**
 * Handlers keep whatever they were built among, and it would win over what a request brings: so there is nothing but
 * ports, neither a clock nor a scheduler.
 */
const nothingButPorts: (around: Context.Context<never>) => Context.Context<Own | Scope.Scope> = () =>
  Context.add(ports, Scope.Scope, Scope.makeUnsafe())

const built = Effect.updateContext(
  Layer.build(Layer.provide(StatelessService, HttpServer.layerServices)),
  nothingButPorts
)
