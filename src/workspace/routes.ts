/** All pages of the workspace, and their static files. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { refuse } from "../vocabulary/refusals.ts"
import { home } from "./kit/local-path.ts"
import { pageRoute } from "./kit/page-route.ts"
import { accountPages } from "./account/account.ts"
import { connectPages } from "./access/connect.ts"
import { consentPages } from "./access/consent.ts"
import { creditPages } from "./records/credits.ts"
import { homePages } from "./account/home.ts"
import { joinPages } from "./account/join.ts"
import { signInPages } from "./account/sign-in.ts"
import { agentPages } from "./access/agents.ts"
import { agreementCreation } from "./agreements/new.ts"
import { agreementRevision } from "./agreements/revise.ts"
import { historyPages } from "./history/history.ts"
import { memberPages } from "./organization/members.ts"
import { draftPages } from "./drafts/drafts.ts"
import { verifierPage } from "./verify/verify.ts"
import { webhookPages } from "./webhooks/webhooks.ts"
import { contactPages } from "./organization/contacts.ts"
import { projectPages } from "./projects/projects.ts"
import { proposalPages } from "./proposals/proposals.ts"
import { orderPages } from "./orders/orders.ts"
import { providerPages } from "./providers/results.ts"
import { specificationPages } from "./specifications/specifications.ts"
import { referencePages } from "./reference/reference.ts"
import { scripts } from "./scripts.ts"
import { taskPages } from "./tasks/tasks.ts"
import { sharePages } from "./records/shares.ts"
import { receivedSharePages } from "./records/received-shares.ts"
import { assetResponse, seeOther } from "./kit/response.ts"
import { icon, style } from "./kit/style.ts"

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
  scripts,
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
  creditPages,
  specificationPages,
  providerPages,
  orderPages,
  historyPages,
  taskPages,
  webhookPages,
  verifierPage,
  referencePages,
  unknownPaths
)
