/** The typed code is kept until the person decides, who compares it again before approving. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { parseUserCode } from "../../access/connection.ts"
import { sealedCookie } from "../kit/sealed-cookie.ts"

const cookie = sealedCookie("userCode", Schema.Struct({ typedCode: Schema.String, connectionId: Schema.String }))

export const keepTypedCode = (response: HttpServerResponse.HttpServerResponse, typed: string, connectionId: string) => {
  const typedCode = parseUserCode(typed)
  return typedCode === undefined ? Effect.succeed(response) : cookie.keep(response, { typedCode, connectionId })
}

/** The code typed in this browser for the connection; undefined where another one was typed since, or it expired. */
export const readTypedCode = (connectionId: string) =>
  Effect.map(cookie.read, (kept) => (kept?.connectionId === connectionId ? kept.typedCode : undefined))
