import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { Api } from "../../src/api.ts"
import { apiOperations } from "../../simulator/operations/api.ts"

describe("a script's words for operations", () => {
  const documented = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, security, requestBody } = operation as {
        readonly operationId: string
        readonly security: ReadonlyArray<unknown>
        readonly requestBody?: unknown
      }
      return [
        operationId,
        { method: method.toUpperCase(), path, isPublic: security.length === 0, body: requestBody !== undefined }
      ]
    })
  )
  const named = Object.entries(apiOperations).map(([name, { method, path, isPublic, body }]) => [
    name,
    { method, path, isPublic: isPublic ?? false, body: body !== "none" }
  ])

  it("are the API's own, with its methods and paths, and none is missing", () => {
    assert.deepStrictEqual(Object.fromEntries(named), Object.fromEntries(documented))
  })
})
