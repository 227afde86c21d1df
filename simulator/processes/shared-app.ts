/**
 * The service application, built once for all processes of all worlds, since building hundreds of routes costs more than
 * a run. It is stateless, and its ports forward to those of the process of the calling fiber.
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

/** The services of one process: its ports and its load counter. */
export type Own = Ports | Load | SecureRandom.SecureRandom

/** The services of the process that runs the current fiber. */
export const OfProcess = Context.Reference<Context.Context<Own> | undefined>("countersign/simulator/OfProcess", {
  defaultValue: () => undefined
})

/** Answers requests with the services of the current process. */
export const sharedApp = (): HttpApp["Service"] => (app ??= Context.get(Effect.runSync(built), HttpApp))

let app: HttpApp["Service"] | undefined

const own = <Id extends Own, Port>(port: Context.Key<Id, Port>): Port => {
  const has = Fiber.getCurrent()?.getRef(OfProcess)
  if (has === undefined) throw new Error(`${port.key} was used outside a process`)
  return Context.get(has, port)
}

/** Reads each member from the port of the current process at access time. */
const forwarded = <Id extends Own, Port extends object>(port: Context.Key<Id, Port>): Port =>
  new Proxy(Object.create(null), { get: (_, member) => Reflect.get(own(port), member) })

const ports = Context.make(Storage, forwarded(Storage)).pipe(
  Context.add(Signer, forwarded(Signer)),
  Context.add(Secrets, forwarded(Secrets)),
  Context.add(SignIn, forwarded(SignIn)),
  Context.add(Mail, forwarded(Mail)),
  Context.add(Load, forwarded(Load)),
  Context.add(SecureRandom.SecureRandom, forwarded(SecureRandom.SecureRandom)),
  // These are read while the application is built, outside any process.
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
 * Handlers capture the context in which they are built, which takes precedence over that of a request: so it contains
 * only ports, neither a clock nor a scheduler.
 */
const portsOnly: (around: Context.Context<never>) => Context.Context<Own | Scope.Scope> = () =>
  Context.add(ports, Scope.Scope, Scope.makeUnsafe())

const built = Effect.updateContext(Layer.build(Layer.provide(StatelessService, HttpServer.layerServices)), portsOnly)
