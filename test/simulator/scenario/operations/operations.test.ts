import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { apiOperations, publicOperations } from "../../../../simulator/scenario/operations/agent-api.ts"
import { operationsOf, pathOf, withoutBody } from "../../../../simulator/scenario/operations/api-operation.ts"
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

const apis = [
  { name: "agent", document: OpenApi.fromApi(Api), operations: apiOperations },
  { name: "workspace", document: OpenApi.fromApi(WorkspaceApi), operations: workspaceOperations },
  { name: "public", document: OpenApi.fromApi(PublicApi), operations: publicOperations }
]

/** An API with the operations `list` and `read`. */
const lending = HttpApi.make("lending").add(
  HttpApiGroup.make("books")
    .add(HttpApiEndpoint.get("list", "/books"), HttpApiEndpoint.get("read", "/books/:id"))
    .prefix("/lending")
)

describe("operations of scripts", () => {
  it.each(apis)("Scripts call every operation of the $name API as its OpenAPI document describes it", (api) => {
    const called = Object.entries(api.operations).map(([name, { method, path, isPublic, body }]) => [
      name,
      { method, path, isPublic, body: body !== "none" && body !== "query" }
    ])
    assert.deepStrictEqual(Object.fromEntries(called), Object.fromEntries(documentedIn(api.document)))
  })

  it("A row of the table of operations takes its method and path from the API", () => {
    const { read } = operationsOf(lending, { list: withoutBody, read: withoutBody })
    assert.deepStrictEqual(read, { method: "GET", path: "/lending/books/{id}", isPublic: true, body: "none" })
  })

  it("A row of an operation that the API does not have is refused by the compiler and on load", () => {
    assert.throws(
      // @ts-expect-error: the API has no operation of this name.
      () => operationsOf(lending, { list: withoutBody, read: withoutBody, burn: withoutBody }),
      "The API lending has no operation burn."
    )
  })

  it("A table without a row for an operation of the API is refused by the compiler", () => {
    // @ts-expect-error: the row of `read` is missing.
    assert.deepStrictEqual(Object.keys(operationsOf(lending, { list: withoutBody })), ["list"])
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
