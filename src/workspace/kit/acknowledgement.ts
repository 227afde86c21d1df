/**
 * What a form did, and what happens next: said once, on the page that the form redirects to. The texts travel in a sealed
 * cookie, so that no address carries them, no link can forge them, and a reload does not repeat them.
 */
import { Effect, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { clearCookie } from "../../http/cookies.ts"
import type { Acknowledgement } from "./page.ts"
import { seeOther } from "./response.ts"
import { sealedCookie } from "./sealed-cookie.ts"
import type { Visitor } from "./visitor.ts"

const cookie = sealedCookie(
  "notice",
  Schema.Struct({
    noticeFor: Schema.String,
    noticeAt: Schema.String,
    did: Schema.String,
    next: Schema.String,
    warning: Schema.NullOr(Schema.String)
  })
)

/** The redirect after a form that had its effect. The texts are the service's own: no text of others is among them. */
export const acknowledge = (
  { person }: Visitor,
  path: `/workspace/${string}`,
  { did, next, warning }: Acknowledgement
): ReturnType<typeof cookie.keep> =>
  cookie.keep(seeOther(path), { noticeFor: person.personId, noticeAt: path, did, next, warning: warning ?? null })

/** What a form answers with: a page, or what it did. */
export type FormAnswer = HttpServerResponse.HttpServerResponse | string | Acknowledgement

/** A page as it is; where the form answered with what it did, the redirect to the page at `path`, which says so. */
export const answerAt = (visitor: Visitor, path: `/workspace/${string}`) => (answer: FormAnswer) =>
  typeof answer === "object" && "did" in answer ? acknowledge(visitor, path, answer) : Effect.succeed(answer)

/** The acknowledgement for this person on this page; undefined where there is none. */
export const readAcknowledgement = Effect.fnUntraced(function* ({ person }: Visitor) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const kept = yield* cookie.read
  if (kept === undefined || kept.noticeFor !== person.personId || kept.noticeAt !== url) return undefined
  const { did, next, warning } = kept
  return { did, next, ...(warning === null ? {} : { warning }) } satisfies Acknowledgement
})

export const clearAcknowledgement: (
  response: HttpServerResponse.HttpServerResponse
) => HttpServerResponse.HttpServerResponse = clearCookie("notice")
