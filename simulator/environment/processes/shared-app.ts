/**
 * The service application, built once for all processes of all worlds, since building hundreds of routes costs more than
 * a run. It is stateless, and its ports forward to those of the process of the calling fiber.
 */
import { Context, Effect, Fiber, Layer, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { readClientScripts } from "../../../src/adapters/client-scripts.ts"
import { Load } from "../../../src/http/load.ts"
import { Caches } from "../../../src/ports/caches.ts"
import { ClientScripts } from "../../../src/ports/client-scripts.ts"
import { WebhookWakeup } from "../../../src/ports/webhook-wakeup.ts"
import { Installation } from "../../../src/ports/installation.ts"
import { Mail } from "../../../src/ports/mail.ts"
import { Payments } from "../../../src/ports/payments.ts"
import { Secrets } from "../../../src/ports/secrets.ts"
import { SignIn } from "../../../src/ports/sign-in.ts"
import { Signer } from "../../../src/ports/signer.ts"
import { Storage } from "../../../src/ports/storage.ts"
import { HttpApp, StatelessService } from "../../../src/service.ts"
import type { Ports } from "../ports.ts"
import { siteUrl } from "../environment.ts"

/** The services of one process: its ports and its load counter. */
export type ProcessServices = Ports | Load | SecureRandom.SecureRandom

/** The services of the application: the scripts are those of all processes. */
type AppServices = ProcessServices | ClientScripts

/** The services of the process that runs the current fiber. */
export const CurrentProcessServices = Context.Reference<Context.Context<ProcessServices> | undefined>(
  "countersign/simulator/CurrentProcessServices",
  {
    defaultValue: () => undefined
  }
)

/** Answers requests with the services of the current process. */
export const sharedApp = (): HttpApp["Service"] => (app ??= Context.get(Effect.runSync(built), HttpApp))

let app: HttpApp["Service"] | undefined

const own = <Id extends ProcessServices, Port>(port: Context.Key<Id, Port>): Port => {
  const has = Fiber.getCurrent()?.getRef(CurrentProcessServices)
  if (has === undefined) throw new Error(`${port.key} was used outside a process`)
  return Context.get(has, port)
}

/** Reads each member from the port of the current process at access time. */
const forwarded = <Id extends ProcessServices, Port extends object>(port: Context.Key<Id, Port>): Port =>
  new Proxy(Object.create(null), { get: (_, member) => Reflect.get(own(port), member) })

const ports = Context.make(Storage, forwarded(Storage)).pipe(
  Context.add(Caches, { of: (declared) => own(Caches).of(declared) }),
  Context.add(Signer, forwarded(Signer)),
  Context.add(Secrets, forwarded(Secrets)),
  Context.add(SignIn, forwarded(SignIn)),
  Context.add(Mail, forwarded(Mail)),
  Context.add(Payments, forwarded(Payments)),
  Context.add(Load, forwarded(Load)),
  Context.add(SecureRandom.SecureRandom, forwarded(SecureRandom.SecureRandom)),
  // These are read while the application is built, outside any process.
  Context.add(WebhookWakeup, {
    notify: Effect.suspend(() => own(WebhookWakeup).notify),
    awaitNotification: Effect.never
  }),
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
const portsOnly: (around: Context.Context<never>) => Context.Context<AppServices | Scope.Scope> = () =>
  Context.add(ports, Scope.Scope, Scope.makeUnsafe()).pipe(Context.add(ClientScripts, readClientScripts()))

const built = Effect.updateContext(Layer.build(Layer.provide(StatelessService, HttpServer.layerServices)), portsOnly)
