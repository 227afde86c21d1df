/** Decode, call, answer with a file. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { Role } from "../../access/actions.ts"
import { asPerson } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { readPackageAsPerson } from "../../records/person-package.ts"
import { packageMediaType } from "../../records/package-wire.ts"

export const resultPackageHandlers = HttpApiBuilder.group(WorkspaceApi, "resultPackages", (handlers) =>
  handlers.handleAll({
    downloadBuyerPackage: ({ params }) => download(params.id, "BUYER"),
    downloadSupplierPackage: ({ params }) => download(params.id, "SUPPLIER"),
    downloadPackage: ({ params }) => download(params.id)
  })
)

const download = (projectId: string, side?: Role) =>
  asPerson((by) =>
    Effect.map(readPackageAsPerson(by, projectId, side), (jws) =>
      HttpServerResponse.text(jws, {
        contentType: packageMediaType,
        headers: { "content-disposition": `attachment; filename="result-package-${projectId}.jws"` }
      })
    )
  )
