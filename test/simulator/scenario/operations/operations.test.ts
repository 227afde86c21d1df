import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import {
  apiOperations,
  pathOf,
  publicOperations,
  type ApiOperation
} from "../../../../simulator/scenario/operations/agent-api.ts"
import { operationForms } from "../../../../simulator/scenario/operations/operation-forms.ts"
import { personCommands } from "../../../../simulator/scenario/operations/person-commands.ts"
import { workspaceOperations } from "../../../../simulator/scenario/operations/workspace-api.ts"
import { acts } from "../../../../simulator/scenario/people.ts"
import { Api } from "../../../../src/api/agents.ts"
import { PublicApi } from "../../../../src/api/public.ts"
import { WorkspaceApi } from "../../../../src/api/people.ts"

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

const operationsOf = (operations: { readonly [name: string]: ApiOperation }) =>
  Object.entries(operations).map(([name, { method, path, isPublic, body }]) => [
    name,
    { method, path, isPublic: isPublic ?? false, body: body !== "none" && body !== "query" }
  ])

describe("operations of scripts", () => {
  it("Scripts have every operation of the agent API, with its method and path", () => {
    const documented = documentedIn(OpenApi.fromApi(Api))
    assert.deepStrictEqual(Object.fromEntries(operationsOf(apiOperations)), Object.fromEntries(documented))
  })

  it("Scripts have every operation of the workspace API, with its method and path", () => {
    const documented = documentedIn(OpenApi.fromApi(WorkspaceApi))
    assert.deepStrictEqual(Object.fromEntries(operationsOf(workspaceOperations)), Object.fromEntries(documented))
  })

  it("Scripts have every operation of the public API, with its method and path", () => {
    const documented = documentedIn(OpenApi.fromApi(PublicApi))
    assert.deepStrictEqual(Object.fromEntries(operationsOf(publicOperations)), Object.fromEntries(documented))
  })

  it("Names of operations are unique", () => {
    const names = [apiOperations, publicOperations, workspaceOperations].flatMap((table) => Object.keys(table))
    assert.deepStrictEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      []
    )
  })

  it("Every operation of scripts is implemented", () => {
    for (const name of operationForms.keys()) {
      const isDone = [apiOperations, publicOperations, workspaceOperations, personCommands, acts].some((table) =>
        Object.hasOwn(table, name)
      )
      assert.isTrue(isDone || name === "verify", name)
    }
  })

  it("The targets of a step fill the path parameters in order, percent-encoded", () => {
    const path = pathOf(workspaceOperations["revokeShare"]!, "one/the other")
    assert.strictEqual(path, "/api/workspace/projects/one/record-shares/the%20other/revoke")
  })
})
