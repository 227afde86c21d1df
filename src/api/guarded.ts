/** What every API has: the guard of requests, and bodies and queries without unknown members. */
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { RequestGuard } from "../http/request-guard.ts"
import { apiVersion } from "../vocabulary/version.ts"

/** An API with all of its groups, behind the guard. */
export const guarded =
  (title: string, description: string) =>
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
    // Added last, so that it wraps every other middleware.
    api
      .middleware(RequestGuard)
      .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
      .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
      .annotateMerge(OpenApi.annotations({ title, version: apiVersion, description }))
