/** Decode, call, answer; a Commerce Record and its status are files. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { WorkspaceApi } from "../../api/people.ts"
import { exportCommerceRecord } from "../../commerce/export.ts"
import { offerResultOrder } from "../../commerce/offering.ts"
import {
  approveResultOrder,
  declineResultOrder,
  payResultOrder,
  withdrawResultOrder
} from "../../commerce/operations.ts"
import { listOrdersOfOrganization, listOrdersOfProject, readResultOrder } from "../../commerce/reading.ts"
import { openRecipientAccount, readRecipientAccount } from "../../commerce/recipient-account.ts"
import { refreshCommerceOrder } from "../../commerce/refresh.ts"
import { readCommerceStatus } from "../../commerce/status.ts"
import { viewOrderPage, viewOrders, viewRefreshed, viewResultOrder } from "../../commerce/view.ts"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { jsonFile } from "../../http/json-file.ts"

export const resultOrderHandlers = HttpApiBuilder.group(WorkspaceApi, "resultOrders", (handlers) =>
  handlers.handleAll({
    offerResultOrder: (sent) => {
      const { requestId: _, ...input } = sent.payload
      return asPersonRequest(sent, (by, request) =>
        Effect.map(offerResultOrder(by, request, { projectId: sent.params.id, ...input }), viewResultOrder)
      )
    },
    listProjectResultOrders: ({ params }) =>
      asPerson((by) => Effect.map(listOrdersOfProject(by, params.id), viewOrders)),
    listResultOrders: ({ query: { organizationId, after } }) =>
      asPerson((by) => Effect.map(listOrdersOfOrganization(by, organizationId, after), viewOrderPage)),
    readResultOrder: ({ params }) => asPerson((by) => Effect.map(readResultOrder(by, params.orderId), viewResultOrder)),
    approveResultOrder: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(approveResultOrder(by, request, onOrder(sent)), viewResultOrder)
      ),
    declineResultOrder: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(declineResultOrder(by, request, onOrder(sent)), viewResultOrder)
      ),
    withdrawResultOrder: (sent) =>
      asPersonRequest(sent, (by, request) =>
        Effect.map(withdrawResultOrder(by, request, onOrder(sent)), viewResultOrder)
      ),
    payResultOrder: (sent) =>
      asPersonRequest(sent, (by, request) => Effect.map(payResultOrder(by, request, onOrder(sent)), viewResultOrder))
  })
)

const onOrder = <Payload>({ params: { orderId }, payload }: OnOrder<Payload>) => ({
  resultOrderId: orderId,
  ...payload
})

interface OnOrder<Payload> {
  readonly params: { readonly orderId: string }
  readonly payload: Payload
}

export const recipientAccountHandlers = HttpApiBuilder.group(WorkspaceApi, "recipientAccounts", (handlers) =>
  handlers.handleAll({
    openRecipientAccount: ({ params }) => asPerson((by) => openRecipientAccount(by, params.organizationId)),
    readRecipientAccount: ({ params }) => asPerson((by) => readRecipientAccount(by, params.organizationId))
  })
)

export const commerceRecordHandlers = HttpApiBuilder.group(WorkspaceApi, "commerceRecords", (handlers) =>
  handlers.handleAll({
    exportCommerceRecord: ({ params }) =>
      asPerson((by) =>
        Effect.map(exportCommerceRecord(by, params.commerceOrderId), (text) => jsonFile("commerce-record.json", text))
      ),
    readCommerceStatus: ({ params, query }) =>
      asPerson((by) =>
        Effect.map(readCommerceStatus(by, params.commerceOrderId, query), (text) =>
          jsonFile("commerce-status.json", text)
        )
      ),
    refreshCommerceOrder: ({ params }) =>
      asPerson((by) => Effect.map(refreshCommerceOrder(by, params.commerceOrderId), viewRefreshed))
  })
)
