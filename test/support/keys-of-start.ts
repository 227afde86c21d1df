/** The keys of a start with these variables, on a database that records none. */
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import { keysOfStart } from "../../src/adapters/installation-keys.ts"
import { RecordedInstallation } from "../../src/adapters/recorded-installation.ts"
import type { Environment } from "./installation.ts"

export const configurationOf = (environment: Environment) =>
  Configuration.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))

export const keysOfStartIn = (environment: Environment) =>
  keysOfStart.pipe(
    Effect.provideService(RecordedInstallation, {
      epoch: "",
      issuerKeyIds: [],
      secretKeyId: null,
      record: () => Effect.void
    }),
    Effect.provide(configurationOf(environment))
  )
