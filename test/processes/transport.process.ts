/** Tokens are accepted over an encrypted connection, or from this machine. */
import * as fs from "node:fs"
import * as https from "node:https"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { installationOn, operator, type Environment } from "../support/installation.ts"
import { makeAgent, makeParty } from "../support/parties.ts"
import { freePort, spawnCommand, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"

const me = "/api/agents/v1/me"

const newToken = (environment: Environment) =>
  Effect.gen(function* () {
    const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", [])
    return token
  }).pipe(Effect.provide(Layer.fresh(operator(environment))))

const get = (url: string, token?: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, text: await response.text() }
  })

const outside = Object.values(os.networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address

describe("plain HTTP from another address than loopback", () => {
  it.live.skipIf(outside === undefined)(
    "A token over plain HTTP from another address than loopback is refused (skipped on a machine without such an address).",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { environment } = yield* installationOn(yield* freshService)
          const { origin } = yield* startServer({ ...environment, HOST: "0.0.0.0" })
          const token = yield* newToken(environment)
          const far = `http://${outside}:${new URL(origin).port}`
          const refused = yield* get(far + me, token)
          assert.strictEqual(refused.status, 400)
          assert.include(refused.text, "HTTPS_REQUIRED")
          assert.strictEqual((yield* get(`${far}/api/agents/v1/capabilities`)).status, 200)
          assert.strictEqual((yield* get(origin + me, token)).status, 200)
        })
      )
  )
})

const tls = path.resolve(import.meta.dirname, "../support/tls")
const certificate = fs.readFileSync(path.join(tls, "certificate.pem"))

/** Undefined without a response. */
const getSecurely = (url: string, token: string) =>
  Effect.callback<number | undefined>((resume) => {
    const headers = { authorization: `Bearer ${token}` }
    https
      .get(url, { ca: certificate, headers }, (answer) => {
        answer.resume()
        resume(Effect.succeed(answer.statusCode))
      })
      .on("error", () => resume(Effect.succeed(undefined)))
  })

it.live("With a certificate serve terminates TLS itself, and links begin with https.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      const port = yield* freePort
      const server = spawnCommand(
        {
          ...environment,
          PORT: String(port),
          TLS_CERT_FILE: path.join(tls, "certificate.pem"),
          TLS_KEY_FILE: path.join(tls, "key.pem")
        },
        "serve"
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => server.child.kill("SIGKILL")))
      const token = yield* newToken(environment)
      const origin = `https://127.0.0.1:${port}`
      let status: number | undefined
      while (status === undefined && server.child.exitCode === null) {
        yield* Effect.sleep(30)
        status = yield* getSecurely(origin + me, token)
      }
      assert.strictEqual(status, 200, server.output())
      assert.include(server.output(), `Countersign listens on ${origin}`)
      const plain = yield* Effect.exit(get(`http://127.0.0.1:${port}${me}`, token))
      assert.strictEqual(plain._tag, "Failure")
    })
  )
)
