/** The Result Orders that wait for a person, as a table on the start page. */
import type { Effect } from "effect"
import type { listOrdersWaiting } from "../../commerce/waiting.ts"
import { limits } from "../../vocabulary/limits.ts"
import { amountText } from "../../vocabulary/money.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { linkTo, paragraph, table, time } from "../kit/parts.ts"
import { waitingTexts } from "./labels.ts"
import { orderPath } from "./path.ts"

type WaitingOrders = Effect.Success<ReturnType<typeof listOrdersWaiting>>

export const waitingOrdersTable = ({ orders, isTruncated }: WaitingOrders): Content => [
  orders.length === 0
    ? null
    : table({
        caption: "Result Orders that wait for you",
        columns: ["Result", "What is next", "Total", "Other party", "Offered"],
        rows: orders.map(({ resultOrderId, title, reason, amountMinor, currency, otherParty, offeredAt }) => [
          linkTo(orderPath(resultOrderId), untrusted(title)),
          waitingTexts[reason],
          amountText(amountMinor, currency),
          untrusted(otherParty),
          time(offeredAt)
        ]),
        empty: ""
      }),
  isTruncated
    ? paragraph(
        `Only the newest ${limits.resultOrdersWaiting} Result Orders of each organization are searched, for payments only the newest ${limits.resultOrdersOnPage} approved ones, and at most ${limits.resultOrdersOnPage} are shown; the others are on the pages of their projects.`
      )
    : null
]
