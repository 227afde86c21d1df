/** That the letter about what was just done did not go out: said once, to the browser of whoever did it. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { clearCookie } from "../http/cookies.ts"
import { sealedCookie } from "./sealed-cookie.ts"
import type { Visitor } from "./visitor.ts"

const cookie = sealedCookie("untold", Schema.Struct({ untoldProjectId: Schema.String, untoldPersonId: Schema.String }))

/** No link can claim it, since only this site seals it. */
export const keepUntold = (
  response: HttpServerResponse.HttpServerResponse,
  { person }: Visitor,
  untoldProjectId: string
) => cookie.keep(response, { untoldProjectId, untoldPersonId: person.personId })

/** True for the person who did it, on the page of its project. */
export const isUntold = ({ person }: Visitor, projectId: string) =>
  Effect.map(cookie.read, (kept) => kept?.untoldProjectId === projectId && kept.untoldPersonId === person.personId)

export const forgetUntold = clearCookie("untold")
