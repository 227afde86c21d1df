/** Pages and forms of signed-in persons, and public ones that a session only adds to. Forms require its CSRF token. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { requestedBy } from "../../ports/storage/requester.ts"
import { clearAcknowledgement, readAcknowledgement } from "./acknowledgement.ts"
import { readForm, readFormWithFile, readSignedInForm, type FormSubmission } from "./form.ts"
import { handlerOf, renderFailures, pageRoute, type HandlerBody, type PageHandler } from "./page-route.ts"
import { requireFormToken } from "./csrf.ts"
import { pageResponse, seeOther } from "./response.ts"
import { findVisitor, openVisitor, type Visitor } from "./visitor.ts"

export const signedInPage = <Body extends HandlerBody>(path: HttpRouter.PathInput, show: (visitor: Visitor) => Body) =>
  pageRoute("GET", path, withVisitor(acknowledging(show)))

/** Shows the page with the acknowledgement of the form that led to it, once. */
const acknowledging = <Body extends HandlerBody>(show: (visitor: Visitor) => Body) =>
  Effect.fnUntraced(function* (visitor: Visitor) {
    const acknowledgement = yield* readAcknowledgement(visitor)
    if (acknowledgement === undefined) return yield* handlerOf(() => show(visitor))
    const shown = yield* handlerOf(() => show({ ...visitor, viewer: { ...visitor.viewer, acknowledgement } }))
    return clearAcknowledgement(typeof shown === "string" ? pageResponse(shown) : shown)
  })

/** A page for everyone; the visitor is undefined where no person is signed in. */
export const publicPage = <Body extends HandlerBody>(
  path: HttpRouter.PathInput,
  show: (visitor: Visitor | undefined) => Body
) =>
  pageRoute(
    "GET",
    path,
    Effect.flatMap(findVisitor, (visitor) =>
      visitor === undefined ? handlerOf(() => show(visitor)) : acknowledging(show)(visitor)
    )
  )

/** The POST handler of a public page's form; within a session it requires the CSRF token, too. */
export const publicForm = <Body extends HandlerBody>(
  path: HttpRouter.PathInput,
  take: (visitor: Visitor | undefined, sent: FormSubmission) => Body
) =>
  pageRoute(
    "POST",
    path,
    Effect.gen(function* () {
      const visitor = yield* findVisitor
      const sent = yield* readForm
      if (visitor !== undefined) yield* requireFormToken(visitor.person.sessionId, sent.formToken)
      return yield* handlerOf(() => take(visitor, sent))
    })
  )

/** The path of a form that is shown on another page; the path parameters of that page are among its own. */
export interface FormAddress {
  readonly path: HttpRouter.PathInput
  readonly shownAt: `/workspace/${string}`
}

/**
 * The POST handler of a signed-in person's form. The body is read after the session was opened. A GET of the form's
 * path, as after a repeated sign-in, redirects to the page that shows the form.
 */
export const signedInForm = <Body extends HandlerBody>(
  address: HttpRouter.PathInput | FormAddress,
  take: (visitor: Visitor, sent: FormSubmission) => Body,
  { hasFile = false }: { readonly hasFile?: boolean } = {}
) => {
  const read = hasFile ? readFormWithFile : readSignedInForm
  if (typeof address === "string") return formRoute(address, read, take)
  const redirect = Effect.map(pathOfRequest(address.shownAt), (path) => seeOther(path))
  return Layer.merge(formRoute(address.path, read, take), pageRoute("GET", address.path, redirect))
}

/** The path of a page whose parameters are among those of this request. */
export const pathOfRequest = (route: `/workspace/${string}`) =>
  Effect.map(
    HttpRouter.params,
    (params) => route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")) as typeof route
  )

const formRoute = <Body extends HandlerBody>(
  path: HttpRouter.PathInput,
  read: typeof readSignedInForm,
  take: (visitor: Visitor, sent: FormSubmission) => Body
) =>
  pageRoute(
    "POST",
    path,
    withVisitor((visitor) =>
      Effect.gen(function* () {
        const sent = yield* read
        yield* requireFormToken(visitor.person.sessionId, sent.formToken)
        return yield* handlerOf(() => take(visitor, sent))
      })
    )
  )

/** Failures after the session was opened are rendered with the person's navigation. */
const withVisitor = <R>(handle: (visitor: Visitor) => PageHandler<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const visitor = yield* openVisitor
    const answer = renderFailures(handle(visitor), request, visitor.viewer)
    return yield* requestedBy(`person ${visitor.person.personId}`)(answer)
  })
