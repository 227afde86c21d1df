import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { compactVerify, createLocalJWKSet } from "jose"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as InstallationFiles from "../../src/adapters/installation.ts"
import { Transport, transportRules } from "../../src/http/transport.ts"
import { Signer } from "../../src/ports/signer.ts"
import { formatNames, schemaDocument } from "../../src/documents/schemas.ts"
import { Service, CapabilityPorts } from "../../src/service.ts"
import { fromMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { tokenFrom } from "../../src/vocabulary/token.ts"
import { assertRefusal } from "../support/errors.ts"
import { temporaryDirectory } from "../support/installation.ts"
import { serveOnSocket } from "../support/socket-service.ts"
import { confirmAgreement, creationInput, makeAgent, makeParty } from "../support/parties.ts"
import { connectionTo } from "../support/postgres.ts"
import { validRequests } from "../support/requests.ts"
import {
  freshService,
  freshTestService,
  legalDocument,
  legalText,
  postgresStorage,
  send,
  testMail,
  testPayments,
  testWakeup,
  testService,
  testSecrets,
  testSigner,
  testSignIn
} from "../support/service.ts"

const agents = "/api/agents/v1"
const allTrue = { database: true, schema: true, replication: true, clock: true, keys: true, capacity: true }
const me = (token: string) => send("GET", `${agents}/me`, { token })

const newToken = Effect.gen(function* () {
  const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", ["CREATE_PROJECT"])
  return token
})

layer(freshTestService, { excludeTestServices: true })("site", (it) => {
  it.effect("The site is alive and ready", () =>
    Effect.gen(function* () {
      const alive = yield* send("GET", "/healthz")
      assert.deepStrictEqual([alive.status, alive.body], [200, { status: "alive" }])
      const ready = yield* send("GET", "/readyz")
      assert.deepStrictEqual([ready.status, ready.body], [200, { status: "ready", checks: allTrue, warnings: [] }])
    })
  )

  it.effect("Every response contains the version and a request id", () =>
    Effect.gen(function* () {
      const token = yield* newToken
      const answers = [
        yield* send("GET", "/healthz"),
        yield* send("GET", "/readyz"),
        yield* send("GET", "/nowhere"),
        yield* send("DELETE", `${agents}/me`),
        yield* send("GET", "/legal/NONE/1"),
        yield* send("GET", "/legal/TERMS/1"),
        yield* send("GET", "/.well-known/service-issuer-keys.json"),
        yield* send("GET", `${agents}/openapi.json`),
        yield* send("GET", `${agents}/capabilities`),
        yield* me("none"),
        yield* me(token),
        yield* send("POST", `${agents}/projects`, { token, raw: "{" }),
        yield* send("POST", `${agents}/projects`, { token, raw: " ".repeat(1_000_001) }),
        yield* send("GET", `${agents}/me`, { token, from: "203.0.113.9" })
      ]
      for (const { headers, text } of answers) {
        assert.strictEqual(headers["service-api-version"], "1.8.0", text)
        assert.match(headers["service-request-id"] ?? "", /^[0-9a-f-]{36}$/)
      }
      assert.strictEqual(new Set(answers.map(({ headers }) => headers["service-request-id"])).size, answers.length)
    })
  )

  it.effect("The site publishes the issuer's public keys and nothing private", () =>
    Effect.gen(function* () {
      const { keys } = yield* Signer
      const { status, body, text } = yield* send("GET", "/.well-known/service-issuer-keys.json")
      assert.deepStrictEqual([status, body], [200, keys])
      assert.notInclude(text, '"d"')
      const legal = yield* send("GET", "/api/acceptance/legal-config")
      assert.match(legal.body.issuer.keysUrl, /\/\.well-known\/service-issuer-keys\.json$/)
    })
  )

  it.effect(
    "The site publishes a JWK Set with which jose verifies the issuer's signature, cacheable for a minute",
    () =>
      Effect.gen(function* () {
        const { keys, sign } = yield* Signer
        const { status, headers, text } = yield* send("GET", "/.well-known/jwks.json", { from: "203.0.113.9" })
        assert.deepStrictEqual(
          [status, headers["content-type"], headers["cache-control"]],
          [200, "application/jwk-set+json", "public, max-age=60"]
        )
        const set = JSON.parse(text)
        assert.deepStrictEqual(set, {
          keys: keys.keys.map(({ kid, jwk }) => ({ ...jwk, kid, use: "sig", alg: "EdDSA" }))
        })
        const jws = yield* sign("RECORD", { schema: "example/v1", issuedAt: fromMilliseconds(1.7e12) })
        const verified = yield* Effect.promise(() => compactVerify(jws, createLocalJWKSet(set)))
        assert.strictEqual(verified.protectedHeader.kid, keys.keys[0]?.kid)
      })
  )

  it.effect.each(formatNames)("The site publishes the schema %s without a credential, cacheable for a day", (name) =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* send("GET", `/.well-known/${name}.schema.json`, { from: "203.0.113.9" })
      assert.deepStrictEqual(
        [status, headers["content-type"], headers["cache-control"]],
        [200, "application/schema+json", "public, max-age=86400"]
      )
      assert.deepStrictEqual(JSON.parse(text), schemaDocument(name))
    })
  )

  it.effect("The site publishes a schema for every documented kind of file", () =>
    Effect.gen(function* () {
      const names = [
        "service-agent-status-v1",
        "service-agreement-link-v1",
        "service-agreement-snapshot-v1",
        "service-authority-event-v1",
        "service-authority-policy-v1",
        "service-commerce-record-v1",
        "service-commerce-status-v1",
        "service-history-gap-v1",
        "service-history-reference-v1",
        "service-issuer-keys-v1",
        "service-project-event-v1",
        "service-publication-status-v1",
        "service-result-order-v1",
        "service-result-package-v2",
        "service-result-passport-v1",
        "service-result-record-v1",
        "service-result-review-v1",
        "service-result-summary-v1",
        "service-standard-record-v1",
        "service-transaction-closure-package-v2",
        "transaction-closure-package-v1"
      ]
      assert.deepStrictEqual(formatNames.toSorted(), names)
      assert.strictEqual((yield* send("GET", "/.well-known/service-result-package-v3.schema.json")).status, 404)
    })
  )

  it.effect("A token over plain HTTP is accepted from this machine only", () =>
    Effect.gen(function* () {
      const token = yield* newToken
      assert.strictEqual((yield* send("GET", `${agents}/me`, { token, from: "127.0.0.1" })).status, 200)
      const foreign = yield* send("GET", `${agents}/me`, { token, from: "203.0.113.9" })
      assert.deepStrictEqual([foreign.status, foreign.body.error], [400, "HTTPS_REQUIRED"])
      assertRefusal(foreign)
      const unknown = yield* send("GET", `${agents}/me`, { token: "none", from: "203.0.113.9" })
      assert.deepStrictEqual(unknown.body, foreign.body)
      assert.strictEqual((yield* send("GET", `${agents}/capabilities`, { from: "203.0.113.9" })).status, 200)
    })
  )
})

/** The service with the legal texts of an operator's directory. */
const withLegalTexts = (texts: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(directory, name), text)
      const environment = { LEGAL_TEXTS_DIR: directory, SITE_URL: "https://countersign.test/" }
      const installation = InstallationFiles.layer.pipe(
        Layer.provide(Configuration.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
      )
      const seeded = Layer.mergeAll(
        testSigner,
        testSecrets,
        testSignIn(),
        testMail(),
        testPayments(),
        testWakeup,
        instanceCaches,
        clientScripts
      )
      const ports = Layer.mergeAll(postgresStorage(yield* freshService), seeded, installation)
      return Layer.merge(Service, CapabilityPorts).pipe(
        Layer.provideMerge(Layer.mergeAll(ports, SecureRandom.layerWebCrypto, HttpServer.layerServices)),
        Layer.provideMerge(Logger.layer([]))
      )
    })
  )

const legalTexts = {
  "TERMS_OF_SERVICE-2026-11.txt": "Gr\u00f6\u00dfe \u2028 \u{1f600}\r\nLast line without an end",
  "PRIVACY-1.txt": "\ufeffWith a byte order mark.\n",
  "README.md": "Not a legal text."
}

layer(withLegalTexts(legalTexts), { excludeTestServices: true })("legal texts", (it) => {
  it.effect("The legal texts are served byte for byte, and their digest is the SHA-256 of the served bytes", () =>
    Effect.gen(function* () {
      const { documents } = (yield* send("GET", "/api/acceptance/legal-config")).body
      assert.lengthOf(documents, 2)
      for (const { kind, version, digest, url } of documents) {
        assert.strictEqual(url, `https://countersign.test/legal/${kind}/${version}`)
        const { status, bytes, headers } = yield* sendForBytes(new URL(url).pathname)
        assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; charset=utf-8"])
        assert.strictEqual(createHash("sha256").update(bytes).digest("hex"), digest)
        const file = legalTexts[`${kind}-${version}.txt` as keyof typeof legalTexts]
        assert.deepStrictEqual(Buffer.from(bytes), Buffer.from(file))
      }
      assert.strictEqual((yield* send("GET", "/legal/PRIVACY/2")).status, 404)
      assert.strictEqual((yield* send("GET", "/legal/README/md")).status, 404)
    })
  )
})

const prerequisites = [
  { id: "contract", statement: "Both sides have signed the framework contract.", met: true },
  { id: "insurance", statement: "The operator is insured.", met: false }
]

const withPrerequisites = (given: typeof prerequisites) =>
  withLegalTexts({
    [`${legalDocument.kind}-${legalDocument.version}.txt`]: legalText,
    "prerequisites.json": JSON.stringify({ schema: "countersign.prerequisites/v1", prerequisites: given })
  })

/** Whether a complete creation succeeds. */
const createOne = Effect.gen(function* () {
  const [buyer, supplier] = [yield* makeParty("Dana"), yield* makeParty("Sam")]
  const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
  return yield* send("POST", `${agents}/projects`, {
    token,
    body: creationInput(supplier, yield* confirmAgreement, yield* now)
  })
})

layer(withPrerequisites(prerequisites), { excludeTestServices: true })("an unmet prerequisite", (it) => {
  it.effect("An unmet prerequisite is listed with the others and refuses every new agreement with its id", () =>
    Effect.gen(function* () {
      const config = yield* send("GET", "/api/acceptance/legal-config")
      assert.deepStrictEqual(config.body.prerequisites, prerequisites)
      const { status, body } = yield* createOne
      assert.deepStrictEqual([status, body.error], [409, "REVIEW_CREATION_REQUIREMENTS"])
      assert.include(body.detail, "insurance")
      assert.notInclude(body.detail, "contract")
    })
  )
})

const met = prerequisites.map((one) => ({ ...one, met: true }))
layer(withPrerequisites(met), { excludeTestServices: true })("met prerequisites", (it) => {
  it.effect("Met prerequisites refuse nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* createOne).status, 201)
    })
  )
})

const sendForBytes = (address: string) =>
  Effect.gen(function* () {
    const origin = yield* serveOnSocket
    return yield* Effect.promise(async () => {
      const answer = await fetch(origin + address)
      const headers = Object.fromEntries(answer.headers)
      return { status: answer.status, headers, bytes: new Uint8Array(await answer.arrayBuffer()) }
    })
  }).pipe(Effect.scoped)

layer(freshTestService, { excludeTestServices: true })("bodies of unknown length", (it) => {
  it.effect("A body of unknown length is counted while it is read, after the credential is checked", () =>
    Effect.gen(function* () {
      const origin = yield* serveOnSocket
      const requests = yield* validRequests
      const post = (address: string, token: string, bytes: number) =>
        Effect.promise(async () => {
          const pieces = [JSON.stringify({ padding: "" }).slice(0, -2), "x".repeat(bytes), '"}']
          const body = new ReadableStream<Uint8Array>({
            start: (stream) => {
              for (const piece of pieces) stream.enqueue(new TextEncoder().encode(piece))
              stream.close()
            }
          })
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
          const init = { method: "POST", headers, body, duplex: "half" } as const
          const answer = await fetch(origin + address, init)
          return [answer.status, ((await answer.json()) as { readonly error: string }).error]
        })
      const one = (operation: string) => requests.find((request) => request.operation === operation)!
      const submit = one("submit")
      assert.deepStrictEqual(yield* post(submit.path, submit.token!, 1_000_000), [413, "REQUEST_TOO_LARGE"])
      assert.deepStrictEqual(yield* post(submit.path, submit.token!, 900_000), [400, "INVALID_REQUEST"])
      assert.deepStrictEqual(yield* post(submit.path, "none", 1_000_000), [401, "AUTH_INVALID"])
      const review = one("exportResultPackage")
      assert.deepStrictEqual(yield* post(review.path, review.token!, 4_096), [413, "REQUEST_TOO_LARGE"])
      assert.deepStrictEqual(yield* post(review.path, review.token!, 4_000), [400, "INVALID_REQUEST"])
    }).pipe(Effect.scoped)
  )
})

const unreachable = Layer.unwrap(Effect.sync(() => testService(postgresStorage(connectionTo("nowhere")))))

layer(unreachable, { excludeTestServices: true })("without a database", (it) => {
  it.effect("Without a database the process is alive, not ready, and answers 503 with the time to wait", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("GET", "/healthz")).status, 200)
      const ready = yield* send("GET", "/readyz")
      assert.deepStrictEqual(
        [ready.status, ready.body],
        [
          503,
          {
            status: "not ready",
            checks: { ...allTrue, database: false, schema: false, replication: false, clock: false },
            warnings: []
          }
        ]
      )
      const token = tokenFrom("agent", "a".repeat(64))
      assert.strictEqual((yield* me(`${token.slice(0, -1)}_`)).status, 401, "a mistyped token costs no query")
      assert.strictEqual((yield* send("GET", `${agents}/capabilities`)).status, 200)
      const answer = yield* me(token)
      assert.deepStrictEqual([answer.status, answer.body.error], [503, "TEMPORARILY_UNAVAILABLE"])
      assert.strictEqual(answer.headers["retry-after"], "1")
      assertRefusal(answer)
    })
  )
})

const limited = (requestsInFlight: number) =>
  Layer.unwrap(
    Effect.map(freshService, (connection) =>
      testService(postgresStorage(connection)).pipe(
        Layer.provide(
          Layer.succeed(Transport, transportRules({ endsTls: false, trustedProxies: [], requestsInFlight }))
        )
      )
    )
  )

layer(limited(3), { excludeTestServices: true })("limit of requests in flight", (it) => {
  it.effect(
    "Beyond the limit of its class a request is answered 503 with the time to wait, and others are served",
    () =>
      Effect.gen(function* () {
        const token = yield* newToken
        const answers = yield* Effect.all(
          Array.from({ length: 12 }, () => me(token)),
          { concurrency: "unbounded" }
        )
        const refused = answers.filter(({ status }) => status === 503)
        assert.deepStrictEqual([answers.filter(({ status }) => status === 200).length, refused.length], [4, 8])
        for (const answer of refused) {
          assertRefusal(answer)
          assert.deepStrictEqual([answer.body.error, answer.headers["retry-after"]], ["TEMPORARILY_UNAVAILABLE", "1"])
          assert.match(answer.body.detail, /^Limit reached: 4 requests in flight, past which a read is refused/)
        }
        for (let round = 0; round < 5; round++) assert.strictEqual((yield* me(token)).status, 200)
      })
  )

  it.effect("Refused requests do not change the count of requests in flight", () =>
    Effect.gen(function* () {
      const token = yield* newToken
      for (let round = 0; round < 5; round++) {
        yield* me("none")
        yield* send("POST", `${agents}/projects`, { token, raw: "{" })
        yield* send("POST", `${agents}/projects`, { token, raw: " ".repeat(1_000_001) })
      }
      assert.strictEqual((yield* me(token)).status, 200)
    })
  )
})
