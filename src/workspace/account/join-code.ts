/** The invitation code, kept while its person signs in and reads the terms. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { isToken } from "../../vocabulary/token.ts"
import { sealedCookie } from "../kit/sealed-cookie.ts"

const cookie = sealedCookie("invitation", Schema.Struct({ invitationCode: Schema.String }))

export const storeCode = (response: HttpServerResponse.HttpServerResponse, invitationCode: string) =>
  cookie.keep(response, { invitationCode })

/** The code of this browser; undefined where it is absent, expired or not authentic. */
export const storedCode = Effect.map(cookie.read, (kept) =>
  kept !== undefined && isInvitationCode(kept.invitationCode) ? kept.invitationCode : undefined
)

export const isInvitationCode = (text: string): boolean => isToken("invitation", text)
