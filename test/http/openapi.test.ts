import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  bodySchema,
  documentedResponse,
  objectsIn,
  operationAt,
  operationsOf,
  readDocument,
  resolve,
  schemasOfBody,
  validator
} from "../support/openapi.ts"
import { uuid } from "../support/parties.ts"
import type { ValidRequest } from "../support/valid-request.ts"
import { emptyRequests, publicRequests, validRequests } from "../support/requests.ts"
import { freshTestService, send } from "../support/service.ts"

const agents = "/api/agents/v1"
const publicOperations: ReadonlyArray<string> = [
  "capabilities",
  "confirmationPreview",
  "legalConfig",
  "pollConnection",
  "startConnection"
]
const assistantOperations = ["addNote", "readItem"]

interface Document {
  readonly api: string
  /** The operations without a credential. */
  readonly open: ReadonlyArray<string>
  /** The security scheme of the other operations. */
  readonly schemeOf: (operation: string) => string
  readonly bodies: number
}

const documents: ReadonlyArray<Document> = [
  {
    api: agents,
    open: publicOperations,
    schemeOf: (operation) => (assistantOperations.includes(operation) ? "participation" : "bearer"),
    bodies: 14
  },
  {
    api: "/api/public",
    open: [
      "exportPassport",
      "listDisclosedPublications",
      "readPublicationStatus",
      "readSpecification",
      "receivePaymentNotification",
      "searchSpecifications"
    ],
    schemeOf: () => "none",
    bodies: 2
  },
  { api: "/api/workspace", open: [], schemeOf: () => "session", bodies: 32 }
]

layer(freshTestService, { excludeTestServices: true })("OpenAPI documents", (it) => {
  it.effect.each(documents)(
    "The OpenAPI document of $api is 3.1.1 of API 1.8.0, and needs no credential itself",
    ({ api }) =>
      Effect.gen(function* () {
        const document = yield* readDocument(api)
        assert.deepStrictEqual([document.openapi, document.info.version], ["3.1.1", "1.8.0"])
      })
  )

  it.effect.each(documents)(
    "The OpenAPI document of $api marks exactly the public operations as open",
    ({ api, open, schemeOf }) =>
      Effect.gen(function* () {
        const operations = operationsOf(yield* readDocument(api))
        const found = operations.filter(({ security }) => security.length === 0)
        assert.deepStrictEqual(found.map(({ operationId }) => operationId).sort(), [...open])
        for (const { operationId, security } of operations) {
          if (open.includes(operationId)) continue
          assert.deepStrictEqual(security, [{ [schemeOf(operationId)]: [] }], operationId)
        }
      })
  )

  it.effect.each(documents)("The OpenAPI document of $api names each operation once, with a summary", ({ api }) =>
    Effect.gen(function* () {
      const operations = operationsOf(yield* readDocument(api))
      const names = operations.map(({ operationId }) => operationId)
      assert.strictEqual(new Set(names).size, names.length)
      for (const { operationId, summary } of operations) assert.isNotEmpty(summary, operationId)
    })
  )

  it.effect.each(documents)("The OpenAPI document of $api has no dangling reference", ({ api }) =>
    Effect.gen(function* () {
      const document = yield* readDocument(api)
      const references = objectsIn(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []))
      assert.isNotEmpty(references)
      for (const reference of references) {
        assert.match(reference, /^#\//)
        assert.isDefined(resolve(document, reference), reference)
      }
    })
  )

  it.effect.each(documents)(
    "The OpenAPI document of $api closes every object of every request body",
    ({ api, bodies }) =>
      Effect.gen(function* () {
        const document = yield* readDocument(api)
        const found = operationsOf(document).filter((operation) => bodySchema(operation) !== undefined)
        assert.isAtLeast(found.length, bodies)
        for (const operation of found) {
          for (const schema of schemasOfBody(document, bodySchema(operation))) {
            if (schema.type !== "object") continue
            assert.strictEqual(schema.additionalProperties, false, `${operation.operationId} ${JSON.stringify(schema)}`)
          }
        }
      })
  )

  it.effect.each(documents)(
    "The OpenAPI document of $api lists the overload and transport refusals for every operation",
    ({ api }) =>
      Effect.gen(function* () {
        for (const { operationId, responses } of operationsOf(yield* readDocument(api))) {
          assert.includeMembers(Object.keys(responses), ["400", "503"], operationId)
          assert.notProperty(responses, "500", operationId)
        }
      })
  )

  it.effect("The OpenAPI document contains the patterns of ids, digests and instants", () =>
    Effect.gen(function* () {
      const document = yield* readDocument(agents)
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

  it.effect("The OpenAPI document of the workspace declares the session cookie as its only credential", () =>
    Effect.gen(function* () {
      const document = yield* readDocument("/api/workspace")
      const session = { type: "apiKey", name: "__Host-countersign", in: "cookie" }
      assert.deepStrictEqual(document.components.securitySchemes, { session })
    })
  )
})

/** Requests for the other statuses of an operation, derived from its valid one. */
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
    ...(operation === "exportResultPackage"
      ? [send("POST", path, { ...credential, body: { ...body, expectedEventHash: "0".repeat(64) } })]
      : "expectedEventHash" in body
        ? [send("POST", path, { ...credential, body: { ...body, automationRevision: 99 } })]
        : []),
    ...(operation === "createProject"
      ? [send("POST", path, { ...credential, body: { ...body, confirmationDigest: undefined } })]
      : [])
  ]
}

layer(freshTestService, { excludeTestServices: true })(
  "conformance of the public API to its OpenAPI document",
  (it) => {
    it.effect("Every request and response of the public API has a documented status and its schema", () =>
      Effect.gen(function* () {
        const document = yield* readDocument("/api/public")
        const problemsWith = validator(document)
        const assertDocumented = documentedResponse(document)
        const requests = yield* publicRequests
        for (const { path, template, body } of requests) {
          const schema = bodySchema(operationAt(document, template))
          assert.deepStrictEqual(problemsWith(schema, body), [])
          for (const invalid of [{ ...body, more: 1 }, {}, { selections: [] }, { selections: Array(21).fill(body) }]) {
            assert.isNotEmpty(problemsWith(schema, invalid))
            assertDocumented(template, "post", yield* send("POST", path, { body: invalid }))
          }
          const answer = yield* send("POST", path, { body })
          assert.strictEqual(answer.status, 200)
          assertDocumented(template, "post", answer)
        }
        const subject = requests[0]!.path.slice(0, -"/passport".length)
        for (const address of [
          subject,
          `/api/public/providers/provider_${uuid()}`,
          "/api/public/providers/provider_1"
        ]) {
          const list = yield* send("GET", `${address}/publications`)
          assertDocumented("/api/public/providers/{subjectId}/publications", "get", list)
        }
      })
    )
  }
)

layer(freshTestService, { excludeTestServices: true })("conformance of the agent API to its OpenAPI document", (it) => {
  it.effect("A valid request of an agent satisfies its schema, and one with an unknown member does not", () =>
    Effect.gen(function* () {
      const document = yield* readDocument(agents)
      const problemsWith = validator(document)
      for (const { template, body, operation } of yield* validRequests) {
        const schema = bodySchema(operationAt(document, template))
        assert.deepStrictEqual(problemsWith(schema, body), [], operation)
        assert.isNotEmpty(problemsWith(schema, { ...body, more: 1 }), operation)
        assert.isNotEmpty(problemsWith(schema, {}), operation)
      }
      for (const { template, body, operation } of yield* emptyRequests) {
        const schema = bodySchema(operationAt(document, template))
        assert.deepStrictEqual(problemsWith(schema, body), [], operation)
        assert.isNotEmpty(problemsWith(schema, { more: 1 }), operation)
      }
    })
  )

  it.effect("Every response of the agent API has a documented status and its schema", () =>
    Effect.gen(function* () {
      const assertDocumented = documentedResponse(yield* readDocument(agents))
      for (const request of [...(yield* validRequests), ...(yield* emptyRequests)]) {
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
      const requests = yield* validRequests
      const { path, token } = requests.find(({ operation }) => operation === "projectStatus")!
      const credential = { token: token! }
      const verified = requests.find(({ operation }) => operation === "verifyWebhook")!
      const owner = { token: verified.token! }
      const deliveries = verified.path.replace(/verify$/, "deliveries")
      const history = `${agents}/webhooks/{subscriptionId}/deliveries`
      const project = path.slice(0, -"/status".length)
      const reads: ReadonlyArray<readonly [string, string, { readonly token?: string }]> = [
        [`${agents}/me`, `${agents}/me`, credential],
        [`${agents}/me`, `${agents}/me`, {}],
        [`${agents}/capabilities`, `${agents}/capabilities`, {}],
        ["/api/acceptance/legal-config", "/api/acceptance/legal-config", {}],
        [project, `${agents}/projects/{id}`, credential],
        [project, `${agents}/projects/{id}`, {}],
        [`${agents}/projects/delivery_1`, `${agents}/projects/{id}`, credential],
        [`${agents}/projects/delivery_${uuid()}`, `${agents}/projects/{id}`, credential],
        [`${agents}/webhooks`, `${agents}/webhooks`, owner],
        [`${agents}/webhooks`, `${agents}/webhooks`, {}],
        [deliveries, history, owner],
        [deliveries, history, {}],
        [deliveries, history, credential],
        [`${deliveries}?after=whd_1`, history, owner],
        [`${deliveries}?after=other`, history, owner]
      ]
      for (const [address, template, options] of reads) {
        assertDocumented(template, "get", yield* send("GET", address, options))
      }
    })
  )
})
