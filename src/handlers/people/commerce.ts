/** Decode, call, answer; a Commerce Record is a file. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
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
import { viewOrderPage, viewOrders, viewResultOrder } from "../../commerce/view.ts"
import { asPerson, asPersonRequest } from "../../people/request.ts"

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
      asPerson((by) => Effect.map(exportCommerceRecord(by, params.commerceOrderId), recordFile))
  })
)

/** The journal may have grown by the next request, so that no cache may keep the file. */
const recordFile = (text: string) =>
  HttpServerResponse.text(text, {
    contentType: "application/json",
    headers: {
      "content-disposition": 'attachment; filename="commerce-record.json"',
      "cache-control": "no-store"
    }
  })
