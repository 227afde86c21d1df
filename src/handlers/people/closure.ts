/** Decode, call, answer with a file. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { WorkspaceApi } from "../../api/people.ts"
import { exportClosure } from "../../closure/export.ts"
import { readClosureStatus } from "../../closure/status.ts"
import { asPerson } from "../../people/request.ts"
import { jsonFile } from "./json-file.ts"

export const transactionClosureHandlers = HttpApiBuilder.group(WorkspaceApi, "transactionClosures", (handlers) =>
  handlers.handleAll({
    exportClosure: ({ params }) =>
      asPerson((by) =>
        Effect.map(exportClosure(by, params.resultOrderId), (text) => jsonFile("transaction-records.json", text))
      ),
    readClosureStatus: ({ params, query }) =>
      asPerson((by) =>
        Effect.map(readClosureStatus(by, params.resultOrderId, query), (text) =>
          jsonFile("transaction-status.json", text)
        )
      )
  })
)
