/** The sign-in method: the provider of `OIDC_ISSUER`, else the directory of the embedded installation, else none. */
import { Effect, Layer, Option } from "effect"
import { SignIn } from "../../ports/sign-in.ts"
import { Configuration, siteUrlOf } from "../configuration.ts"
import { directoryIn } from "./directory.ts"
import { openIdConnect } from "./openid-connect.ts"

export const layer = Layer.effect(
  SignIn,
  Effect.map(Configuration, (configuration) => {
    const { oidcIssuer, oidcClientId, oidcClientSecret, databaseUrl, dataDirectory } = configuration
    if (Option.isSome(oidcIssuer) && Option.isSome(oidcClientId)) {
      return openIdConnect({
        issuer: oidcIssuer.value,
        clientId: oidcClientId.value,
        clientSecret: oidcClientSecret,
        siteUrl: siteUrlOf(configuration)
      })
    }
    return Option.isSome(databaseUrl) ? { kind: "NONE" } : directoryIn(dataDirectory)
  })
)
