import { assert, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { uuid } from "../support/parties.ts"
import { validRequests, type ValidRequest } from "../support/requests.ts"
import { freshTestService, send, type Answer } from "../support/service.ts"

const agents = "/api/agents/v1"
const publicOperations = ["capabilities", "confirmationPreview", "legalConfig"]

const readDocument = Effect.map(send("GET", `${agents}/openapi.json`), ({ status, body }) => {
  assert.strictEqual(status, 200)
  return body
})

const operationsOf = (document: any): ReadonlyArray<any> =>
  Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))

const resolve = (document: any, reference: string): any =>
  reference
    .slice(2)
    .split("/")
    .reduce((place, name) => place?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document)

/** Every object inside a value, the value itself among them. */
const objectsIn = (value: unknown): ReadonlyArray<any> =>
  typeof value !== "object" || value === null ? [] : [value, ...Object.values(value).flatMap(objectsIn)]

/** Every schema that a request body can meet, references followed. */
const schemasOfBody = (document: any, schema: any, seen: Set<string> = new Set()): ReadonlyArray<any> =>
  objectsIn(schema).flatMap((one) => {
    if (typeof one.$ref !== "string") return [one]
    if (seen.has(one.$ref)) return []
    seen.add(one.$ref)
    return schemasOfBody(document, resolve(document, one.$ref), seen)
  })

const bodySchema = (operation: any) => operation.requestBody?.content["application/json"].schema

/** Validates a value by a schema of the document. */
const validator = (document: any) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  const root = { $id: "openapi", components: document.components }
  const absolute = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
  ajv.addSchema(absolute(root))
  return (schema: unknown, value: unknown): ReadonlyArray<string> => {
    const check = ajv.compile(absolute(schema))
    return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

const operationAt = (document: any, template: string, method = "post") => document.paths[template]?.[method]

layer(freshTestService, { excludeTestServices: true })("the OpenAPI document", (it) => {
  it.effect("is 3.1.1 of API 1.8.0, and needs no credential itself", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      assert.deepStrictEqual([document.openapi, document.info.version], ["3.1.1", "1.8.0"])
    })
  )

  it.effect("marks exactly the public operations as open", () =>
    Effect.gen(function* () {
      const operations = operationsOf(yield* readDocument)
      const open = operations.filter(({ security }) => security.length === 0)
      assert.deepStrictEqual(open.map(({ operationId }) => operationId).sort(), publicOperations)
      for (const { operationId, security } of operations) {
        if (publicOperations.includes(operationId)) continue
        assert.deepStrictEqual(security, [{ bearer: [] }], operationId)
      }
    })
  )

  it.effect("names each operation once, with a summary", () =>
    Effect.gen(function* () {
      const operations = operationsOf(yield* readDocument)
      const names = operations.map(({ operationId }) => operationId)
      assert.strictEqual(new Set(names).size, names.length)
      for (const { operationId, summary } of operations) assert.isNotEmpty(summary, operationId)
    })
  )

  it.effect("has no reference that leads nowhere", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      const references = objectsIn(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []))
      assert.isNotEmpty(references)
      for (const reference of references) {
        assert.match(reference, /^#\//)
        assert.isDefined(resolve(document, reference), reference)
      }
    })
  )

  it.effect("closes every object of every request body", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      const bodies = operationsOf(document).filter((operation) => bodySchema(operation) !== undefined)
      assert.lengthOf(bodies, 8)
      for (const operation of bodies) {
        for (const schema of schemasOfBody(document, bodySchema(operation))) {
          if (schema.type !== "object") continue
          assert.strictEqual(schema.additionalProperties, false, `${operation.operationId} ${JSON.stringify(schema)}`)
        }
      }
    })
  )

  it.effect("says which form ids, digests and instants have", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      const { properties } = document.components.schemas.CreateProject
      const id = (kind: string) => new RegExp(`^\\^${kind}\\[0-9a-f\\]`)
      assert.match(properties.requestId.pattern, id(""))
      assert.match(properties.supplierActorId.pattern, id("person_"))
      assert.match(properties.confirmationDigest.pattern, /\{64\}/)
      assert.isTrue(new RegExp(properties.deadline.pattern).test("2026-11-21T09:30:00.000Z"))
      const [parameter] = operationAt(document, `${agents}/projects/{id}`, "get").parameters
      assert.strictEqual(parameter.schema.pattern, "^delivery_[a-f0-9-]{36}$")
    })
  )
})

/** Requests that earn the other statuses of an operation, made from its valid one. */
const refusedRequests = ({ path, token, body, operation }: ValidRequest) => {
  const credential = token === undefined ? {} : { token }
  const elsewhere = path.replace(/delivery_[a-f0-9-]{36}/, `delivery_${uuid()}`)
  const nowhere = path.replace(/delivery_[a-f0-9-]{36}/, "delivery_1")
  return [
    send("POST", path, { ...credential, body: { ...body, more: 1 } }),
    send("POST", path, { ...credential, raw: " ".repeat(1_000_001) }),
    ...(token === undefined
      ? [send("POST", path, { body: { ...body, legalContext: { documents: [] } } })]
      : [send("POST", path, { body })]),
    ...(elsewhere === path
      ? []
      : [send("POST", elsewhere, { ...credential, body }), send("POST", nowhere, credential)]),
    ...(operation === "exports/result-package"
      ? [send("POST", path, { ...credential, body: { ...body, expectedEventHash: "0".repeat(64) } })]
      : "expectedEventHash" in body
        ? [send("POST", path, { ...credential, body: { ...body, automationRevision: 99 } })]
        : []),
    ...(operation === "projects"
      ? [send("POST", path, { ...credential, body: { ...body, confirmationDigest: undefined } })]
      : [])
  ]
}

layer(freshTestService, { excludeTestServices: true })("what the service does is what the document says", (it) => {
  it.effect("a valid request fits its schema, and one with an unknown member does not", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      const problemsWith = validator(document)
      for (const { template, body, operation } of yield* validRequests) {
        const schema = bodySchema(operationAt(document, template))
        assert.deepStrictEqual(problemsWith(schema, body), [], operation)
        assert.isNotEmpty(problemsWith(schema, { ...body, more: 1 }), operation)
        assert.isNotEmpty(problemsWith(schema, {}), operation)
      }
    })
  )

  it.effect("every answer has a documented status and the schema of that status", () =>
    Effect.gen(function* () {
      const document = yield* readDocument
      const problemsWith = validator(document)
      const assertDocumented = (template: string, method: string, answer: Answer) => {
        const responses = operationAt(document, template, method).responses
        assert.property(responses, String(answer.status), `${template} ${answer.text}`)
        const { schema } = responses[answer.status].content["application/json"]
        assert.deepStrictEqual(problemsWith(schema, answer.body), [], `${template} ${answer.status}`)
      }
      for (const request of yield* validRequests) {
        const { path, template, token, body } = request
        const statuses = new Set<number>()
        for (const sending of refusedRequests(request)) {
          const refused = yield* sending
          statuses.add(refused.status)
          assertDocumented(template, "post", refused)
        }
        assert.includeMembers([...statuses], token === undefined ? [400, 409, 413] : [400, 401, 413])
        const answer = yield* send("POST", path, { ...(token === undefined ? {} : { token }), body })
        assert.strictEqual(answer.status, request.status)
        assertDocumented(template, "post", answer)
      }
      const { path, token } = (yield* validRequests).find(({ operation }) => operation === "status")!
      const credential = { token: token! }
      const project = path.slice(0, -"/status".length)
      const reads: ReadonlyArray<readonly [string, string, { readonly token?: string }]> = [
        [`${agents}/me`, `${agents}/me`, credential],
        [`${agents}/me`, `${agents}/me`, {}],
        [`${agents}/capabilities`, `${agents}/capabilities`, {}],
        ["/api/acceptance/legal-config", "/api/acceptance/legal-config", {}],
        [project, `${agents}/projects/{id}`, credential],
        [project, `${agents}/projects/{id}`, {}],
        [`${agents}/projects/delivery_1`, `${agents}/projects/{id}`, credential],
        [`${agents}/projects/delivery_${uuid()}`, `${agents}/projects/{id}`, credential]
      ]
      for (const [address, template, options] of reads) {
        assertDocumented(template, "get", yield* send("GET", address, options))
      }
    })
  )

  it.effect("an overloaded or insecure answer is documented everywhere", () =>
    Effect.gen(function* () {
      for (const { operationId, responses } of operationsOf(yield* readDocument)) {
        assert.includeMembers(Object.keys(responses), ["400", "503"], operationId)
        assert.notProperty(responses, "500", operationId)
      }
    })
  )
})
