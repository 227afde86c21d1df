/** The ports that a world supplies to the service, beside Effect's own services. */
import { Layer } from "effect"
import type { Caches } from "../../src/ports/caches.ts"
import { WebhookWakeup } from "../../src/ports/webhook-wakeup.ts"
import { Installation } from "../../src/ports/installation.ts"
import { Mail } from "../../src/ports/mail.ts"
import type { Payments } from "../../src/ports/payments.ts"
import { Secrets } from "../../src/ports/secrets.ts"
import { SignIn } from "../../src/ports/sign-in.ts"
import { Signer } from "../../src/ports/signer.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"
import { seededSigner } from "./signer.ts"
import { siteUrl, type Environment } from "./environment.ts"

export type Ports = Storage | Caches | Payments | SeededPorts

type SeededPorts = Signer | Secrets | SignIn | Installation | Mail | WebhookWakeup

/** The ports that need only a seed and the environment. */
export const seededPorts = (
  scheduler: VirtualScheduler,
  environment: Environment,
  wakeup: WebhookWakeup["Service"]
): Layer.Layer<SeededPorts> =>
  Layer.mergeAll(
    Layer.sync(Signer, () =>
      seededSigner(
        scheduler.streams,
        () => environment.keyPurposes,
        environment.rememberedKeys,
        environment.importedKeys
      )
    ),
    Layer.sync(Secrets, () => environment.rememberedKeys.secretsUnder(scheduler.streams.bytes("secret key", 32))),
    // An operation signs the people of a scenario in: there is no provider.
    Layer.succeed(SignIn, { kind: "NONE" }),
    Layer.succeed(Mail, environment.mail),
    Layer.succeed(WebhookWakeup, wakeup),
    Layer.succeed(Installation, {
      siteUrl,
      get legalTexts() {
        return environment.legalTexts
      },
      prerequisites: []
    })
  )
