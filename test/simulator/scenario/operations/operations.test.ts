import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { apiOperations, publicOperations } from "../../../../simulator/scenario/operations/agent-api.ts"
import { operationsOf, pathOf } from "../../../../simulator/scenario/operations/api-operation.ts"
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

/** An API with an operation of each shape. */
const lending = HttpApi.make("lending").add(
  HttpApiGroup.make("books")
    .add(
      HttpApiEndpoint.get("list", "/books", { query: { after: Schema.optionalKey(Schema.String) } }),
      HttpApiEndpoint.get("read", "/books/:id"),
      HttpApiEndpoint.post("lend", "/books/:id/lend", { payload: Schema.Struct({ until: Schema.String }) }),
      HttpApiEndpoint.post("renew", "/books/:id/renew", {
        payload: Schema.Struct({ expectedEventHash: Schema.String, input: Schema.Struct({ until: Schema.String }) })
      })
    )
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

  it("An operation takes its method, path and the shape of its input from the API", () => {
    const { list, read, lend, renew } = operationsOf(lending)
    assert.deepInclude(read, { method: "GET", path: "/lending/books/{id}", isPublic: true, body: "none" })
    assert.deepInclude(list, { path: "/lending/books", body: "query" })
    assert.deepInclude(lend, { method: "POST", body: "plain" })
    assert.deepInclude(renew, {
      body: "decision",
      head: { member: "expectedEventHash", path: "project.headEventHash" }
    })
  })

  it("Default inputs of an operation that the API does not have are refused by the compiler and on load", () => {
    assert.throws(
      // @ts-expect-error: the API has no operation of this name.
      () => operationsOf(lending, { burn: { fill: () => ({}) } }),
      "The API lending has no operation burn."
    )
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
      // The runner verifies files and sends notifications itself.
      assert.isTrue(isDone || name === "verify" || name === "notify", name)
    }
  })

  it("The targets of a step fill the path parameters in order, percent-encoded", () => {
    const path = pathOf(workspaceOperations["revokeShare"]!, "one/the other")
    assert.strictEqual(path, "/api/workspace/projects/one/record-shares/the%20other/revoke")
  })
})
