/** Decode, call, answer; a passport is a file. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { PublicApi } from "../../api/public.ts"
import { passportFile } from "../../publications/passport-file.ts"
import {
  exportPassport,
  listDisclosedPublications,
  readPublicationStatus
} from "../../publications/public-operations.ts"

export const providerHandlers = HttpApiBuilder.group(PublicApi, "providers", (handlers) =>
  handlers.handleAll({
    exportPassport: ({ params, query, payload }) =>
      Effect.map(exportPassport({ ...params, ...payload }, query.format), passportFile),
    readPublicationStatus: ({ params, payload }) => readPublicationStatus({ ...params, ...payload }),
    listDisclosedPublications: ({ params, query }) => listDisclosedPublications(params.subjectId, query)
  })
)
