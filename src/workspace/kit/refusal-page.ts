/** The page of a refusal: the detail, and the next step. */
import { HttpServerResponse, type HttpServerRequest } from "effect/http"
import { h } from "preact"
import { refusals, type RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { errorBody, type Refusal } from "../../vocabulary/refusals.ts"
import { untrusted } from "./html.ts"
import { home, localPathOr, signInAgainPath, signInPath } from "./local-path.ts"
import { nextSteps, type NextAction } from "./next-steps.ts"
import { page, type Viewer } from "./page.ts"
import { linkTo, list, paragraph } from "./parts.ts"
import { pageResponse, refusedResponse } from "./response.ts"

export interface RefusalPageOptions {
  readonly viewer?: Viewer | undefined
  /** The refused request: after signing in, the person returns to its URL without the submitted form. */
  readonly request: Pick<HttpServerRequest.HttpServerRequest, "method" | "url">
  /** The URL of the page, where it differs from that of the request. */
  readonly returnTo?: string | undefined
}

export const refusalPage = (
  refused: Refusal,
  { viewer, request, returnTo = request.url }: RefusalPageOptions
): HttpServerResponse.HttpServerResponse => {
  const { status } = refusals[refused.code]
  const nextAction = nextActionOf(refused.code)
  const { detail, issues = [] } = errorBody(refused)
  const response = refusedResponse(
    page(
      { title: titles[status], viewer },
      paragraph(untrusted(detail)),
      issues.length === 0 ? null : list(issues.map(({ message }) => untrusted(message))),
      nextAction === undefined ? null : paragraph(nextSteps[nextAction]),
      request.method === "POST" && isFormLost(refused.code) ? paragraph(formLostText) : null,
      paragraph(nextLink(nextAction, returnTo))
    ),
    refused
  )
  return status === 503
    ? HttpServerResponse.setHeader(response, "retry-after", String(refused.facts.retryAfter ?? 1))
    : response
}

/** The page of an internal error; it reveals no details. */
export const failurePage = (viewer: Viewer | undefined): HttpServerResponse.HttpServerResponse =>
  pageResponse(
    page(
      { title: "The service failed", viewer },
      "The outcome of the request is unknown. Go back and check whether it was carried out.",
      paragraph(linkTo(home, "Go to the start page"))
    ),
    500
  )

const isFormLost = (code: RefusalCode): boolean =>
  code === "SIGN_IN_REQUIRED" || code === "RECENT_SIGN_IN_REQUIRED" || code === "FORM_OUTDATED"

const formLostText = "Nothing was done, and the entered values were not saved."

const nextLink = (nextAction: NextAction | undefined, returnTo: string) => {
  if (nextAction === "OPEN_AGAIN") return h("a", { href: localPathOr(returnTo, home) }, "Open the page again")
  if (nextAction === "RESTART_DELIVERY_HISTORY" || nextAction === "USE_RETURNED_CHECKPOINT") {
    return h("a", { href: localPathOr(returnTo.replace(/\?.*$/, ""), home) }, "Open the history from its beginning")
  }
  if (nextAction === "SIGN_IN") return linkTo(signInPath(returnTo), "Sign in")
  if (nextAction === "SIGN_IN_AGAIN") return linkTo(signInAgainPath(returnTo), "Sign in again")
  if (nextAction === "REREAD_DRAFT") return linkTo("/workspace/drafts", "See the drafts")
  return linkTo(home, "Go to the start page")
}

const nextActionOf = (code: RefusalCode) => {
  const rule = refusals[code]
  return "nextAction" in rule ? rule.nextAction : undefined
}

const titles = {
  400: "The request is invalid",
  401: "Sign in",
  403: "This is not allowed",
  404: "Not found",
  409: "This could not be done",
  413: "This is too large",
  429: "Too many attempts",
  503: "Temporarily unavailable"
} as const satisfies Record<number, string>
