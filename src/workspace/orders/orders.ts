/** The pages about Result Orders and recipient accounts, and the list of a person's orders. */
import { Layer } from "effect"
import { h } from "preact"
import type { OrderState } from "../../commerce/moves.ts"
import { listOrderPage, type ListedOrder } from "../../commerce/order-page.ts"
import { limits } from "../../vocabulary/limits.ts"
import { amountText } from "../../vocabulary/money.ts"
import { labelFilter, organizationFilter } from "../kit/filters.ts"
import { untrusted } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { listPage, type List } from "../kit/list.ts"
import { linkTo, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { orderCommands } from "./commands.ts"
import { orderDetails } from "./detail.ts"
import { orderBadge, orderStateLabels } from "./labels.ts"
import { projectOffer } from "./offer.ts"
import { orderPath, ordersPath } from "./path.ts"
import { recipientAccountPages } from "./recipient-account.ts"
import { refreshPage } from "./refresh.ts"

const showOrders = signedInPage(ordersPath, function* ({ person, viewer }) {
  const readers = yield* readMemberships(person, "FINANCIAL_READ")
  return yield* listPage({
    title: "Result Orders",
    viewer,
    place: "orders",
    list: orderList(readers),
    read: ({ valueOf, turn }) => {
      const chosen = valueOf("organization")
      const memberships = readers.filter((one) => chosen === undefined || one.organizationId === chosen)
      const state = valueOf("state") as OrderState | undefined
      return listOrderPage(memberships, state, { ...turn, limit: limits.itemsOnPage })
    },
    before:
      "With a Result Order a supplier offers the result of a project for a fixed total, on the page of the project."
  })
})

const orderList = (readers: ReadonlyArray<Membership>): List<ListedOrder> => ({
  name: "orders",
  path: ordersPath,
  caption: "Result Orders of my organizations, latest offer first",
  columns: [
    {
      heading: "Result",
      cell: ({ resultOrderId, title }) => [
        linkTo(orderPath(resultOrderId), untrusted(title)),
        h("div", { class: "hint" }, h("code", null, resultOrderId))
      ]
    },
    {
      heading: "With",
      cell: ({ otherParty, side }) => [
        untrusted(otherParty),
        `, ${roleLabels[side === "BUYER" ? "SUPPLIER" : "BUYER"].toLowerCase()}`
      ]
    },
    { heading: "State", cell: ({ state }) => orderBadge(state) },
    { heading: "Total", cell: ({ amountMinor, currency }) => amountText(amountMinor, currency) },
    { heading: "Offered", cell: ({ offeredAt }) => time(offeredAt) }
  ],
  filters: [labelFilter("state", "State", orderStateLabels), ...organizationFilter(readers)],
  empty:
    readers.length === 0
      ? "Seeing Result Orders requires a membership that permits seeing payments."
      : "Your organizations have no Result Order."
})

export const orderPages = Layer.mergeAll(
  showOrders,
  orderDetails,
  orderCommands,
  projectOffer,
  recipientAccountPages,
  refreshPage
)
