/** The scripts of the pages. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ClientScripts, type ScriptName } from "../ports/client-scripts.ts"
import { pageHeaders } from "./kit/response.ts"
import { scriptPaths } from "./kit/script-paths.ts"

/** Revalidated at each use, without a body where the browser has the script of this release. */
const script = (name: ScriptName) =>
  HttpRouter.add(
    "GET",
    scriptPaths[name],
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const found = (yield* ClientScripts)[name]
      if (found === undefined) {
        return HttpServerResponse.text("This script was not built: npm run build:browser\n", {
          status: 404,
          headers: pageHeaders
        })
      }
      const { text, etag } = found
      const cached = { ...pageHeaders, "cache-control": "no-cache", etag }
      return headers["if-none-match"] === etag
        ? HttpServerResponse.empty({ status: 304, headers: cached })
        : HttpServerResponse.text(text, { contentType: "text/javascript; charset=utf-8", headers: cached })
    })
  )

export const scripts = Layer.mergeAll(script("pages"), script("verifier"), script("reference"))
