/** Pages and forms of people who are signed in: the session is opened first, and a form's token checked. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { readSignedInForm, type SentForm } from "./form.ts"
import { home, localPathOr } from "./local-path.ts"
import { answerEnd, pageRoute, type PageHandler } from "./page-route.ts"
import { requireFormToken } from "./protection.ts"
import { seeOther } from "./response.ts"
import { openVisitor, type Visitor } from "./visitor.ts"

export const signedInPage = <R>(path: HttpRouter.PathInput, show: (visitor: Visitor) => PageHandler<R>) =>
  pageRoute("GET", path, visited(show))

/** Where a form is sent that its page shows at another address; the ids in that address are among the form's own. */
export interface FormAddress {
  readonly path: HttpRouter.PathInput
  readonly shownAt: `/workspace/${string}`
}

/**
 * What a form of a signed-in person does. The body is read after the session was opened, and nothing is done before.
 * Whoever opens the form's own address, as after a sign-in that it needed, comes to the page that shows it.
 */
export const signedInForm = <R>(
  address: HttpRouter.PathInput | FormAddress,
  take: (visitor: Visitor, sent: SentForm) => PageHandler<R>
) => {
  if (typeof address === "string") return formRoute(address, take)
  const shown = pageRoute("GET", address.path, Effect.map(HttpRouter.params, seeShown(address.shownAt)))
  return Layer.merge(formRoute(address.path, take), shown)
}

const formRoute = <R>(path: HttpRouter.PathInput, take: (visitor: Visitor, sent: SentForm) => PageHandler<R>) =>
  pageRoute(
    "POST",
    path,
    visited((visitor) =>
      Effect.gen(function* () {
        const sent = yield* readSignedInForm
        yield* requireFormToken(visitor.person.sessionId, sent.formToken)
        return yield* take(visitor, sent)
      })
    )
  )

const seeShown = (shownAt: string) => (params: Readonly<Record<string, string | undefined>>) =>
  seeOther(
    localPathOr(
      shownAt.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
      home
    )
  )

/** Whatever ends badly after the session was opened keeps the person's navigation around it. */
const visited = <R>(handle: (visitor: Visitor) => PageHandler<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const visitor = yield* openVisitor
    return yield* answerEnd(handle(visitor), request, visitor.viewer)
  })
