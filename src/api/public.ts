/** All operations without a credential, open to any client. */
import { HttpApi, OpenApi } from "effect/http-api"
import { PaymentNotifications } from "../commerce/public-wire.ts"
import { Discovery } from "../discovery/wire.ts"
import { RequestGuard } from "../http/request-guard.ts"
import { Providers } from "../publications/public-wire.ts"
import { apiVersion } from "../vocabulary/version.ts"

export class PublicApi extends HttpApi.make("countersign-public")
  .add(Discovery)
  .add(Providers)
  .add(PaymentNotifications)
  // Added last, so that it wraps every other middleware.
  .middleware(RequestGuard)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Countersign public API",
      version: apiVersion,
      description:
        "Public specifications: search them, and read an exact version by its digest. Published results of suppliers: list them, and export a selection that verifies offline. Notifications of the payment provider."
    })
  ) {}
