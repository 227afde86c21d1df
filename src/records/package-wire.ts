/** The download of the signed package by people (4.7): for a given side, or for either. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type { Role } from "../access/actions.ts"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { SessionAuthentication } from "../people/session-authentication.ts"
import { ProjectPath } from "../projects/answer.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"

export const packageMediaType = "application/jose"

/** The download path for a side. */
export const packagePathOf = (side: Role, projectId: string): string => paths[side].replace(":id", projectId)

const paths = {
  BUYER: "/api/acceptance/tasks/:id/result/package",
  SUPPLIER: "/api/acceptance/provider-tasks/:id/result/package"
} as const

const SignedPackage = Schema.String.annotate({
  identifier: "SignedPackage",
  description: "A Result Package v2 as compact JWS: a file that `verify-result` takes as it is, without keys or status."
}).pipe(HttpApiSchema.asText({ contentType: packageMediaType }))

const download = <
  const Name extends string,
  const Path extends `/api/${string}`,
  const Codes extends ReadonlyArray<RefusalCode>
>(
  name: Name,
  path: Path,
  summary: string,
  description: string,
  codes: Codes
) =>
  HttpApiEndpoint.get(name, path, {
    params: ProjectPath,
    success: SignedPackage,
    error: refuses(...codes)
  }).annotateMerge(titled(summary, description))

const ofBuyer =
  "For the buyer's person who made the agreement, and members of the buyer with an authority to create agreements, to decide on deliveries, to issue records or to publish; an authority to read payments alone is not enough."
const readOnly = "Changes nothing and consumes no credit. `id` is the project's."

export class ResultPackages extends HttpApiGroup.make("resultPackages", { topLevel: true })
  .add(
    download(
      "downloadBuyerPackage",
      paths.BUYER,
      "The issued result as a signed package, for a person of the buyer",
      `${readOnly} ${ofBuyer}`,
      [...checks.person, ...checks.signer, ...checks.signedHead, "RESULT_NOT_ISSUED"]
    ),
    download(
      "downloadSupplierPackage",
      paths.SUPPLIER,
      "The issued result as a signed package, for the supplier's named representative",
      readOnly,
      [...checks.person, ...checks.signer, ...checks.signedHead, "RESULT_NOT_ISSUED"]
    ),
    download(
      "downloadPackage",
      "/api/transactions/:id/result/package",
      "The issued result as a signed package, for a person of either side",
      `${readOnly} ${ofBuyer} For the supplier only its named representative.`,
      [...checks.person, ...checks.signer, ...checks.signedHead, "RESULT_NOT_ISSUED"]
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication) {}
