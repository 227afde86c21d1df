/** A refusal as a person reads it: what happened in one sentence, and what to do next. */
import { HttpServerResponse } from "effect/http"
import { errorBody, refusals, type RefusalCode, type Refused } from "../vocabulary/refusals.ts"
import { untrusted } from "./html.ts"
import { home, signInAgainPath, signInPath } from "./local-path.ts"
import { nextSteps, type NextAction } from "./next-steps.ts"
import { page, type Viewer } from "./page.ts"
import { linkTo, list, paragraph } from "./parts.ts"
import { pageResponse } from "./response.ts"

export interface RefusalPageOptions {
  readonly viewer?: Viewer | undefined
  /** Where the person comes back to after signing in. */
  readonly returnTo?: string | undefined
}

export const refusalPage = (refused: Refused, { viewer, returnTo }: RefusalPageOptions = {}) => {
  const { status } = refusals[refused.code]
  const nextAction = nextActionOf(refused.code)
  const { detail, issues = [] } = errorBody(refused)
  const response = pageResponse(
    page(
      { title: titles[status], viewer },
      paragraph(untrusted(detail)),
      issues.length === 0 ? null : list(issues.map(({ message }) => untrusted(message))),
      nextAction === undefined ? null : paragraph(nextSteps[nextAction]),
      paragraph(wayOn(nextAction, returnTo))
    ),
    status
  )
  return status === 503
    ? HttpServerResponse.setHeader(response, "retry-after", String(refused.facts.retryAfter ?? 1))
    : response
}

/** The service's own failure: nothing of it is told. */
export const failurePage = (): HttpServerResponse.HttpServerResponse =>
  pageResponse(
    page(
      { title: "The service failed" },
      paragraph("Nothing is known about the outcome. Go back and look whether what you wanted was done."),
      paragraph(linkTo(home, "Go to the start page"))
    ),
    500
  )

const wayOn = (nextAction: NextAction | undefined, returnTo: string | undefined) => {
  if (nextAction === "SIGN_IN") return linkTo(signInPath(returnTo), "Sign in")
  if (nextAction === "SIGN_IN_AGAIN") return linkTo(signInAgainPath(returnTo), "Sign in again")
  return linkTo(home, "Go to the start page")
}

const nextActionOf = (code: RefusalCode) => {
  const rule = refusals[code]
  return "nextAction" in rule ? rule.nextAction : undefined
}

const titles = {
  400: "This could not be read",
  401: "Sign in",
  403: "This is not allowed",
  404: "Nothing is here",
  409: "This could not be done",
  413: "This is too large",
  429: "Too many attempts",
  503: "Not now"
} as const satisfies Record<number, string>
