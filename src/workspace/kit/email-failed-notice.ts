/** A failed notification e-mail is reported once, in the browser of the person who ran the command. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { clearCookie } from "../../http/cookies.ts"
import { sealedCookie } from "./sealed-cookie.ts"
import type { Visitor } from "./visitor.ts"

const cookie = sealedCookie("untold", Schema.Struct({ untoldProjectId: Schema.String, untoldPersonId: Schema.String }))

/** The cookie is sealed, so a crafted link cannot forge it. */
export const rememberFailedEmail = (
  response: HttpServerResponse.HttpServerResponse,
  { person }: Visitor,
  untoldProjectId: string
) => cookie.keep(response, { untoldProjectId, untoldPersonId: person.personId })

/** True for the person who ran the command, on the page of that project. */
export const hasFailedEmail = ({ person }: Visitor, projectId: string) =>
  Effect.map(cookie.read, (kept) => kept?.untoldProjectId === projectId && kept.untoldPersonId === person.personId)

export const clearFailedEmail = clearCookie("untold")
