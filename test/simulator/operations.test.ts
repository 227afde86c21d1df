import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { apiOperations, pathOf, publicOperations, type ApiOperation } from "../../simulator/operations/api.ts"
import { operationForms } from "../../simulator/operations/forms.ts"
import { words } from "../../simulator/operations/words.ts"
import { workspaceOperations } from "../../simulator/operations/workspace.ts"
import { acts } from "../../simulator/people.ts"
import { Api } from "../../src/api.ts"
import { PublicApi } from "../../src/public-api.ts"
import { WorkspaceApi } from "../../src/workspace-api.ts"

const documentedIn = (document: OpenApi.OpenAPISpec) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
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

const named = (operations: { readonly [name: string]: ApiOperation }) =>
  Object.entries(operations).map(([name, { method, path, isPublic, body }]) => [
    name,
    { method, path, isPublic: isPublic ?? false, body: body !== "none" && body !== "query" }
  ])

describe("a script's words for operations", () => {
  it("are the API's own, with its methods and paths, and none is missing", () => {
    const documented = documentedIn(OpenApi.fromApi(Api))
    assert.deepStrictEqual(Object.fromEntries(named(apiOperations)), Object.fromEntries(documented))
  })

  it("are the workspace's own, with its methods and paths, and none is missing", () => {
    const documented = documentedIn(OpenApi.fromApi(WorkspaceApi))
    assert.deepStrictEqual(Object.fromEntries(named(workspaceOperations)), Object.fromEntries(documented))
  })

  it("are the public API's own, with its methods and paths, and none is missing", () => {
    const documented = documentedIn(OpenApi.fromApi(PublicApi))
    assert.deepStrictEqual(Object.fromEntries(named(publicOperations)), Object.fromEntries(documented))
  })

  it("name one thing each", () => {
    const names = [apiOperations, publicOperations, workspaceOperations].flatMap((table) => Object.keys(table))
    assert.deepStrictEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      []
    )
  })

  it("have somebody who does them", () => {
    for (const name of operationForms.keys()) {
      const isDone = [apiOperations, publicOperations, workspaceOperations, words, acts].some((table) =>
        Object.hasOwn(table, name)
      )
      assert.isTrue(isDone || name === "verify", name)
    }
  })

  it("put each thing that a step acts on in its place of the path", () => {
    const path = pathOf(workspaceOperations["revokeShare"]!, "one/the other")
    assert.strictEqual(path, "/api/workspace/projects/one/record-shares/the%20other/revoke")
  })
})
