/** Decode, call, answer; a closure and its status are files. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { WorkspaceApi } from "../../api/people.ts"
import { exportClosure, exportClosureWithHistory } from "../../closure/export.ts"
import { recordHistoryReference } from "../../closure/refer.ts"
import { readClosureStatus } from "../../closure/status.ts"
import { viewHistoryReference } from "../../closure/view.ts"
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { jsonFile } from "../../http/json-file.ts"

export const transactionClosureHandlers = HttpApiBuilder.group(WorkspaceApi, "transactionClosures", (handlers) =>
  handlers.handleAll({
    exportClosure: ({ params }) =>
      asPerson((by) =>
        Effect.map(exportClosure(by, params.resultOrderId), (text) => jsonFile("transaction-records.json", text))
      ),
    exportClosureWithHistory: ({ params, payload }) =>
      asPerson((by) =>
        Effect.map(exportClosureWithHistory(by, params.resultOrderId, payload), (text) =>
          jsonFile("transaction-records-with-history.json", text)
        )
      ),
    readClosureStatus: ({ params, query }) =>
      asPerson((by) =>
        Effect.map(readClosureStatus(by, params.resultOrderId, query), (text) =>
          jsonFile("transaction-status.json", text)
        )
      )
  })
)

export const historyReferenceHandlers = HttpApiBuilder.group(WorkspaceApi, "historyReferences", (handlers) =>
  handlers.handleAll({
    recordHistoryReference: (sent) => {
      const { requestId: _, ...input } = sent.payload
      return asPersonRequest(sent, (by, request) =>
        Effect.map(recordHistoryReference(by, request, { projectId: sent.params.id, ...input }), viewHistoryReference)
      )
    }
  })
)
