/** How people sign in here: at the provider of `OIDC_ISSUER`, else by the directory of the embedded default, else not. */
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
