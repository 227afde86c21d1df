/** The paths of specification pages, and reading the version of a path. */
import { Effect, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { SpecificationId } from "../../discovery/input.ts"
import { readSpecification } from "../../discovery/read.ts"
import { refuse } from "../../vocabulary/refusals.ts"

export const specificationsPath = "/workspace/specifications"

export const specificationPath = (id: string, version: number): `/workspace/${string}` =>
  `${specificationsPath}/${id}/versions/${version}`

export const versionRoute = `${specificationsPath}/:specificationId/versions/:specificationVersion` as const

/** The version of the request's path; unknown ones are refused with 404. */
export const readRequestedVersion = Effect.gen(function* () {
  const { specificationId = "", specificationVersion = "" } = yield* HttpRouter.params
  if (!isId(specificationId) || !/^[1-9]\d{0,14}$/.test(specificationVersion)) return yield* refuse("NOT_FOUND")
  return yield* readSpecification(specificationId, Number(specificationVersion))
})

const isId = Schema.is(SpecificationId)
