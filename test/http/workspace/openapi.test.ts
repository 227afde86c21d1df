import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { personOperations, personRequests, sendAs, type PersonRequest } from "../../support/person-requests.ts"
import { bodySchema, documentedResponse, operationAt, readDocument, validator } from "../../support/openapi.ts"
import { freshTestService, send } from "../../support/service.ts"
import { signInNewPerson } from "../../support/sessions.ts"

const templateOf = ({ path }: Pick<PersonRequest, "path">) => path.replace(/:(\w+)/g, "{$1}")

layer(freshTestService, { excludeTestServices: true })(
  "conformance of the workspace API to its OpenAPI document",
  (it) => {
    it.effect("The OpenAPI document of the workspace lists exactly the operations of people", () =>
      Effect.gen(function* () {
        const { paths } = yield* readDocument("/api/workspace")
        const found = Object.entries<any>(paths).flatMap(([path, methods]) =>
          Object.keys(methods).map((method) => `${method} ${path}`)
        )
        const expected = personOperations.map((one) => `${one.method.toLowerCase()} ${templateOf(one)}`)
        assert.sameMembers(found, expected)
      })
    )

    it.effect("A valid request of a person satisfies its schema, and one with an unknown member does not", () =>
      Effect.gen(function* () {
        const document = yield* readDocument("/api/workspace")
        const problemsWith = validator(document)
        for (const request of yield* personRequests) {
          const { operation, method, body } = request
          const schema = bodySchema(operationAt(document, templateOf(request), method.toLowerCase()))
          assert.strictEqual(schema === undefined, body === undefined, operation)
          if (body === undefined) continue
          assert.deepStrictEqual(problemsWith(schema, body), [], operation)
          assert.isNotEmpty(problemsWith(schema, { ...body, more: 1 }), operation)
          if (Object.keys(body).length > 0) assert.isNotEmpty(problemsWith(schema, {}), operation)
        }
      })
    )

    it.effect("Every response of the workspace API has a documented status and its schema", () =>
      Effect.gen(function* () {
        const assertDocumented = documentedResponse(yield* readDocument("/api/workspace"))
        const otto = yield* signInNewPerson("Otto")
        for (const request of yield* personRequests) {
          const { operation, method, address, body } = request
          const check = (answer: Effect.Success<ReturnType<typeof send>>, status?: number) => {
            assertDocumented(templateOf(request), method.toLowerCase(), answer)
            if (status !== undefined) assert.strictEqual(answer.status, status, `${operation} ${answer.text}`)
          }
          check(yield* send(method, address), 401)
          check(yield* sendAs(request, { from: "203.0.113.9" }), 400)
          if (method === "POST") check(yield* sendAs(request, { headers: { origin: "https://evil.test" } }), 403)
          if (address !== request.path && body !== undefined) {
            check(yield* sendAs({ ...request, address: address.replace(/_[0-9a-f-]{36}/, "_1") }), 404)
          }
          if (body !== undefined) {
            check(yield* sendAs({ ...request, body: { ...body, more: 1 } }), 400)
            check(yield* sendAs(request, { raw: " ".repeat(1_000_001) }), 413)
          }
          // An unrelated person: of some resources a party like any other, of others without access.
          if (!["signOut", "removeAccount"].includes(operation) && address !== request.path) {
            const answer = yield* sendAs({ ...request, by: otto })
            check(answer)
            assert.include([403, 404], answer.status, operation)
          }
          check(yield* sendAs(request), request.status)
        }
      })
    )
  }
)
