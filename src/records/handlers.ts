/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { answer } from "../http/answer.ts"
import { exportResultPackage, projectStatus } from "./operations.ts"

export const recordHandlers = HttpApiBuilder.group(Api, "records", (handlers) =>
  handlers.handleAll({
    exportResultPackage: ({ params, payload }) => answer(exportResultPackage(params.id, payload)),
    projectStatus: ({ params, payload }) => answer(projectStatus(params.id, payload.nonce))
  })
)
