/** The pages about Result Orders and recipient accounts. */
import { Layer } from "effect"
import { orderCommands } from "./commands.ts"
import { orderDetails } from "./detail.ts"
import { projectOffer } from "./offer.ts"
import { recipientAccountPages } from "./recipient-account.ts"
import { refreshPage } from "./refresh.ts"

export const orderPages = Layer.mergeAll(orderDetails, orderCommands, projectOffer, recipientAccountPages, refreshPage)
