/** The legal texts at the URLs of the legal configuration. */
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { refusalResponse } from "../http/errors.ts"
import { Installation } from "../ports/installation.ts"
import { refusal } from "../vocabulary/refusals.ts"

export const legalTextRoutes = HttpRouter.add(
  "GET",
  "/legal/:kind/:version",
  Effect.gen(function* () {
    const { kind, version } = yield* HttpRouter.params
    const { legalTexts } = yield* Installation
    const found = legalTexts.find((one) => one.kind === kind && one.version === version)
    return found === undefined
      ? refusalResponse(refusal("NOT_FOUND"))
      : HttpServerResponse.text(found.text, { contentType: "text/plain; charset=utf-8" })
  })
)
