/** The root of the site: redirects people to the workspace, and gives programs the addresses of the documents. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Installation } from "../ports/installation.ts"
import { apiVersion } from "../vocabulary/version.ts"

export const root = HttpRouter.add(
  "GET",
  "/",
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { siteUrl } = yield* Installation
    if (asksForPage(headers["accept"] ?? "")) {
      return HttpServerResponse.empty({ status: 303, headers: { location: "/workspace/", vary: "accept" } })
    }
    return HttpServerResponse.jsonUnsafe(
      {
        service: "countersign",
        apiVersion,
        openapi: {
          agents: `${siteUrl}/api/agents/v1/openapi.json`,
          workspace: `${siteUrl}/api/workspace/openapi.json`,
          public: `${siteUrl}/api/public/openapi.json`
        },
        capabilities: `${siteUrl}/api/agents/v1/capabilities`,
        skill: `${siteUrl}/skill.md`,
        issuerKeys: `${siteUrl}/.well-known/service-issuer-keys.json`,
        workspace: `${siteUrl}/workspace/`
      },
      { headers: { vary: "accept" } }
    )
  })
)

/** Browsers name HTML and rank it before JSON; a program that accepts any type receives JSON. */
const asksForPage = (accept: string): boolean => {
  const html = weightOf(accept, "text/html")
  return html > 0 && html >= weightOf(accept, "application/json")
}

/** The weight of a media type in an `Accept` header (RFC 9110, 12.5.1); 0 where it is absent. */
const weightOf = (accept: string, type: string): number => {
  const named = accept
    .split(",")
    .map((range) => range.split(";").map((part) => part.trim().toLowerCase()))
    .find(([name]) => name === type)
  if (named === undefined) return 0
  const weight = named.slice(1).find((part) => part.startsWith("q="))
  return weight === undefined ? 1 : Number(weight.slice(2)) || 0
}
