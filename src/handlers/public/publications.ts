/** Decode, call, answer; a passport is a file. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PublicApi } from "../../api/public.ts"
import {
  exportPassport,
  listDisclosedPublications,
  readPublicationStatus
} from "../../publications/public-operations.ts"
import { passportMediaTypes } from "../../publications/public-wire.ts"

export const providerHandlers = HttpApiBuilder.group(PublicApi, "providers", (handlers) =>
  handlers.handleAll({
    exportPassport: ({ params, query, payload }) =>
      Effect.map(exportPassport({ ...params, ...payload }, query.format), passportFile),
    readPublicationStatus: ({ params, payload }) => readPublicationStatus({ ...params, ...payload }),
    listDisclosedPublications: ({ params, query }) => listDisclosedPublications(params.subjectId, query)
  })
)

/** The file is as current as its statements, so that no cache may keep it. */
export const passportFile = ({ format, file }: Effect.Success<ReturnType<typeof exportPassport>>) => {
  const options = {
    contentType: passportMediaTypes[format],
    headers: { "content-disposition": `attachment; filename="passport.${format}"`, "cache-control": "no-store" }
  }
  return typeof file === "string"
    ? HttpServerResponse.text(file, options)
    : HttpServerResponse.uint8Array(file, options)
}
