/** The code that a person typed, kept until they answer: they compare it once more before they approve. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { readUserCode } from "../../access/connection.ts"
import { sealedCookie } from "../sealed-cookie.ts"

const cookie = sealedCookie("userCode", Schema.Struct({ typedCode: Schema.String, connectionId: Schema.String }))

export const keepTypedCode = (response: HttpServerResponse.HttpServerResponse, typed: string, connectionId: string) => {
  const typedCode = readUserCode(typed)
  return typedCode === undefined ? Effect.succeed(response) : cookie.keep(response, { typedCode, connectionId })
}

/** The code that led this browser to the connection; undefined where another was typed since, or too long ago. */
export const typedCodeOf = (connectionId: string) =>
  Effect.map(cookie.read, (kept) => (kept?.connectionId === connectionId ? kept.typedCode : undefined))
