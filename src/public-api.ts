/** Every operation that is open to anybody on the site: no credential opens it, and none is looked at. */
import { HttpApi, OpenApi } from "effect/http-api"
import { Discovery } from "./discovery/wire.ts"
import { Guard } from "./http/guard.ts"
import { apiVersion } from "./vocabulary/version.ts"

export class PublicApi extends HttpApi.make("countersign-public")
  .add(Discovery)
  // Added last, so that it stands around everything else of an operation.
  .middleware(Guard)
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign public API",
      version: apiVersion,
      description: "Public specifications: search them, and read an exact version by its digest."
    })
  ) {}
