/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { RequestBody } from "../../http/body.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { exportResultPackage, exportStandardRecord, projectStatus, readRecord } from "../../records/operations.ts"

export const recordHandlers = HttpApiBuilder.group(Api, "records", (handlers) =>
  handlers.handleAll({
    readRecord: ({ params }) => readRecord(params.id),
    exportStandardRecord: ({ params }) => Effect.andThen(refuseContent, exportStandardRecord(params.id)),
    exportResultPackage: ({ params, payload }) => exportResultPackage(params.id, payload),
    projectStatus: ({ params, payload }) => projectStatus(params.id, payload.nonce)
  })
)

/** The operation takes no body. An empty object is accepted, for clients that always send one. */
const refuseContent = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { headers } = request
  if (Number(headers["content-length"] ?? 0) === 0 && headers["transfer-encoding"] === undefined) return
  yield* Effect.orDie(request.text)
  const { value } = yield* RequestBody
  const isEmptyObject = typeof value === "object" && value !== null && Object.keys(value).length === 0
  if (!isEmptyObject || Array.isArray(value)) {
    return yield* refuse("INVALID_REQUEST", { detail: "This operation takes no body, or an empty object." })
  }
})
