/** All operations without a credential, open to any client. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Discovery } from "../discovery/wire.ts"
import { RequestGuard } from "../http/request-guard.ts"
import { apiVersion } from "../vocabulary/version.ts"

export class PublicApi extends HttpApi.make("countersign-public")
  .add(Discovery)
  // Added last, so that it wraps every other middleware.
  .middleware(RequestGuard)
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign public API",
      version: apiVersion,
      description: "Public specifications: search them, and read an exact version by its digest."
    })
  ) {}
