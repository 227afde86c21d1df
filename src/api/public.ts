/** All operations without a credential, open to any client. */
import { HttpApi } from "effect/http-api"
import { PaymentNotifications } from "../commerce/public-wire.ts"
import { Discovery } from "../discovery/wire.ts"
import { Providers } from "../publications/public-wire.ts"
import { guarded } from "./guarded.ts"

export class PublicApi extends HttpApi.make("countersign-public")
  .add(Discovery)
  .add(Providers)
  .add(PaymentNotifications)
  .pipe(
    guarded(
      "Countersign public API",
      "Public specifications: search them, and read an exact version by its digest. Published results of suppliers: list them, and export a selection that verifies offline. Notifications of the payment provider."
    )
  ) {}
