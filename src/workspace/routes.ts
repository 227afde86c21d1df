/** All pages of the workspace, and their static files. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { refuse } from "../vocabulary/refusals.ts"
import { home } from "./local-path.ts"
import { pageRoute } from "./page-route.ts"
import { accountPages } from "./pages/account.ts"
import { connectPages } from "./pages/connect.ts"
import { consentPages } from "./pages/consent.ts"
import { fundingPages } from "./pages/funding.ts"
import { homePages } from "./pages/home.ts"
import { joinPages } from "./pages/join.ts"
import { signInPages } from "./pages/sign-in.ts"
import { agentPages } from "./pages/agents.ts"
import { agreementCreation } from "./pages/agreements-new.ts"
import { agreementRevision } from "./pages/agreements-revise.ts"
import { memberPages } from "./pages/members.ts"
import { draftPages } from "./pages/drafts.ts"
import { callbackPages } from "./pages/callbacks.ts"
import { contactPages } from "./pages/contacts.ts"
import { projectPages } from "./pages/projects.ts"
import { proposalPages } from "./pages/proposals.ts"
import { specificationPages } from "./pages/specifications.ts"
import { taskPages } from "./pages/tasks.ts"
import { sharePages } from "./pages/shares.ts"
import { receivedSharePages } from "./pages/shares-received.ts"
import { assetResponse, seeOther } from "./response.ts"
import { icon, style } from "./style.ts"

const stylesheet = HttpRouter.add("GET", "/workspace/style.css", assetResponse(style, "text/css; charset=utf-8"))

const siteIcon = HttpRouter.add("GET", "/workspace/icon.svg", assetResponse(icon, "image/svg+xml"))

/** Unknown paths under the workspace are answered with a page, too. */
const unknownPaths = Layer.mergeAll(
  pageRoute(
    "GET",
    "/workspace/*",
    Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      return /^\/workspace(?:\?|$)/.test(url) ? seeOther(home) : yield* refuse("NOT_FOUND")
    })
  ),
  // All methods except HEAD, which is answered like GET where it has no route of its own.
  ...(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const).map((method) =>
    pageRoute(method, "/workspace/*", refuse("NOT_FOUND"))
  )
)

export const workspace = Layer.mergeAll(
  stylesheet,
  siteIcon,
  homePages,
  signInPages,
  joinPages,
  accountPages,
  connectPages,
  consentPages,
  agentPages,
  memberPages,
  contactPages,
  agreementCreation,
  agreementRevision,
  draftPages,
  projectPages,
  proposalPages,
  sharePages,
  receivedSharePages,
  fundingPages,
  specificationPages,
  taskPages,
  callbackPages,
  unknownPaths
)
