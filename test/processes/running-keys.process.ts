/** SIGHUP replaces the keys of a running server while it answers requests, and never ends it. */
import type { JsonWebKey } from "node:crypto"
import * as fs from "node:fs"
import * as https from "node:https"
import * as path from "node:path"
import type * as tls from "node:tls"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { importEd25519, readJws, verifyEd25519 } from "../../src/canonical/jws.ts"
import { installationOn, operator, temporaryDirectory, type Environment } from "../support/installation.ts"
import { addIssuerKey, replaceText } from "../support/key-files.ts"
import { sendCommand } from "../support/parties.ts"
import { valuesOf } from "../support/postgres.ts"
import { runCommand } from "../support/run-command.ts"
import {
  freePort,
  overSockets,
  spawnCommand,
  spawnLauncher,
  startServer,
  type CommandProcess
} from "../support/server.ts"
import { freshService, send } from "../support/service.ts"
import { makeArena, nextCommand, type Arena } from "./arena.ts"

/** Sends SIGHUP and waits until the server has logged its outcome. */
const hangUp = ({ child, output }: CommandProcess, outcome: string) =>
  Effect.gen(function* () {
    const count = () => output().split(outcome).length
    const before = count()
    child.kill("SIGHUP")
    while (count() === before) {
      assert.isNull(child.exitCode, output())
      yield* Effect.sleep("10 millis")
    }
  })

const reloaded = "the keys were reloaded"
const refused = "the keys were not reloaded"

/** Commands on every lane until the fiber is interrupted; each status goes into the list. */
const writers = (arena: Arena, statuses: Array<number>) =>
  Effect.forEach(
    arena.lanes,
    (lane) =>
      Effect.gen(function* () {
        // A command in flight is completed, so that its status is known.
        for (;;) {
          yield* Effect.gen(function* () {
            const { token, operation, body } = nextCommand(arena, lane)
            const answer = yield* sendCommand(token, lane.projectId, operation, body)
            statuses.push(answer.status)
            if (answer.status === 200) lane.view = answer.body
          }).pipe(Effect.uninterruptible)
          yield* Effect.yieldNow
        }
      }),
    { concurrency: "unbounded", discard: true }
  )

/** Waits for further acknowledged commands. */
const moreOf = (statuses: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const before = statuses.length
    while (statuses.length < before + 4) yield* Effect.sleep("10 millis")
  })

it.live(
  "SIGHUP with new issuer keys and through both secret key rotations refuses no request, and every signature verifies.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* freshService
        const { environment } = yield* installationOn(connection)
        const { SECRET_KEY: firstSecretKey = "", ...others } = environment
        const directory = yield* temporaryDirectory
        const [secretKeyFile, previousFile] = ["secret-key", "previous"].map((name) => path.join(directory, name))
        fs.writeFileSync(secretKeyFile!, firstSecretKey)
        fs.writeFileSync(previousFile!, "")
        const variables: Environment = {
          ...others,
          SECRET_KEY_FILE: secretKeyFile!,
          SECRET_KEY_PREVIOUS_FILE: previousFile!
        }
        const server = yield* startServer(variables)
        const statuses: Array<number> = []
        yield* Effect.gen(function* () {
          const arena = yield* makeArena(3)
          const agent = { agentName: "Scout", client: "scout 1.0" }
          const opened = yield* send("POST", "/api/agents/v1/connections", { body: agent })
          const load = yield* Effect.forkChild(writers(arena, statuses))
          yield* moreOf(statuses)

          addIssuerKey(variables["ISSUER_KEYS_FILE"]!)
          yield* hangUp(server, reloaded)
          yield* moreOf(statuses)

          const second = "ab".repeat(32)
          replaceText(previousFile!, second)
          yield* hangUp(server, reloaded)
          yield* moreOf(statuses)
          replaceText(secretKeyFile!, second)
          replaceText(previousFile!, firstSecretKey)
          yield* hangUp(server, reloaded)
          yield* moreOf(statuses)
          const polled = yield* send("POST", "/api/agents/v1/connections/poll", {
            body: { deviceCode: opened.body.deviceCode }
          })
          assert.deepStrictEqual([polled.status, polled.body.state], [200, "PENDING"], JSON.stringify(polled.body))
          replaceText(previousFile!, "")
          yield* hangUp(server, reloaded)
          yield* moreOf(statuses)

          replaceText(secretKeyFile!, second.slice(2))
          yield* hangUp(server, refused)
          yield* moreOf(statuses)
          replaceText(secretKeyFile!, second)
          const asked = yield* runCommand(variables, "admin", "reload-keys")
          assert.strictEqual(asked.code, 0, asked.output)
          assert.match(JSON.parse(asked.stdout).reloaded.join(), new RegExp(`^serve ${server.child.pid}@`))
          yield* moreOf(statuses)
          yield* Fiber.interrupt(load)
        }).pipe(Effect.provide(overSockets(server.origin)), Effect.provide(operator(environment)))
        assert.deepStrictEqual([...new Set(statuses)], [200])

        const trusted = yield* trustedKeys(server.origin)
        assert.lengthOf(trusted, 2)
        const signed = yield* valuesOf(
          connection,
          "select jws from project_events union all select jws from authority_events"
        )
        const signers = (signed as ReadonlyArray<readonly [string]>).map(([jws]) => signerOf(jws, trusted))
        assert.sameMembers(
          [...new Set(signers)],
          trusted.map(({ kid }) => kid)
        )
      })
    )
)

const trustedKeys = (origin: string) =>
  Effect.promise(async () => {
    const { keys } = (await (await fetch(`${origin}/.well-known/service-issuer-keys.json`)).json()) as {
      readonly keys: ReadonlyArray<{ readonly kid: string; readonly jwk: JsonWebKey }>
    }
    return keys
  })

/** The trusted key that made this signature; undefined where none did. */
const signerOf = (jws: string, trusted: Effect.Success<ReturnType<typeof trustedKeys>>) =>
  trusted.find(({ kid, jwk }) => {
    const read = readJws(jws)
    const imported = importEd25519({ kty: jwk.kty, crv: jwk.crv, x: jwk.x })
    if (!read.ok || !imported.ok || read.header.kid !== kid) return false
    return verifyEd25519(imported.key, read.signingInput, read.signature)
  })?.kid

/** True once the process catches SIGHUP, as Linux reports it. */
const catchesHangup = (pid: number): boolean => {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0"
  return (BigInt(`0x${caught}`) & 1n) === 1n
}

it.live.skipIf(process.platform !== "linux")(
  "A SIGHUP during the start, twice at once, or during the shutdown ends no server (skipped except on Linux).",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const port = String(yield* freePort)
        const server = spawnLauncher({ ...environment, PORT: port }, "serve")
        const { child, ended, output } = server
        yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
        while (!catchesHangup(child.pid!)) yield* Effect.sleep("5 millis")
        while (!output().includes("  next ")) {
          assert.isNull(child.exitCode, output())
          child.kill("SIGHUP")
          yield* Effect.sleep("50 millis")
        }
        yield* hangUp(server, reloaded)
        child.kill("SIGHUP")
        yield* hangUp(server, reloaded)
        child.kill("SIGTERM")
        child.kill("SIGHUP")
        child.kill("SIGHUP")
        assert.strictEqual(yield* Effect.promise(() => ended), 0)
        assert.isNull(child.signalCode)
      })
    )
)

const certificates = path.resolve(import.meta.dirname, "../support/tls")

interface Served {
  /** Of the certificate that a new connection gets. */
  readonly fingerprint: string
  readonly readiness: { readonly status: string; readonly warnings: ReadonlyArray<string> }
}

/** The readiness over a new connection; undefined without an answer. */
const served = (port: number) =>
  Effect.callback<Served | undefined>((resume) => {
    const options = { host: "127.0.0.1", port, path: "/readyz", rejectUnauthorized: false, agent: false }
    https
      .get(options, (answer) => {
        const { fingerprint256 } = (answer.socket as tls.TLSSocket).getPeerCertificate()
        let text = ""
        answer.on("data", (chunk) => (text += String(chunk)))
        answer.on("end", () => resume(Effect.succeed({ fingerprint: fingerprint256, readiness: JSON.parse(text) })))
      })
      .on("error", () => resume(Effect.undefined))
  })

it.live("SIGHUP replaces the TLS certificate for new connections; one whose key differs is refused.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { environment } = yield* installationOn(yield* freshService)
      const directory = yield* temporaryDirectory
      const [cert, key] = ["certificate.pem", "key.pem"].map((name) => path.join(directory, name))
      const put = (certificate: string, privateKey: string) => {
        replaceText(cert!, fs.readFileSync(path.join(certificates, certificate), "utf8"))
        replaceText(key!, fs.readFileSync(path.join(certificates, privateKey), "utf8"))
      }
      put("certificate.pem", "key.pem")
      const port = yield* freePort
      const files = { TLS_CERT_FILE: cert!, TLS_KEY_FILE: key! }
      const server = spawnCommand({ ...environment, ...files, PORT: String(port) }, "serve")
      yield* Effect.addFinalizer(() => Effect.sync(() => server.child.kill("SIGKILL")))
      let before: Served | undefined
      while (before === undefined && server.child.exitCode === null) {
        yield* Effect.sleep("30 millis")
        before = yield* served(port)
      }
      assert.deepStrictEqual(before?.readiness.warnings, [], server.output())
      put("webhooks/expired.pem", "key.pem")
      yield* hangUp(server, refused)
      assert.include(server.output(), `TLS_KEY_FILE: the key in ${key} is not that of the certificate in ${cert}`)
      assert.strictEqual((yield* served(port))?.fingerprint, before?.fingerprint)
      put("webhooks/expired.pem", "webhooks/receiver.key.pem")
      yield* hangUp(server, reloaded)
      const after = yield* served(port)
      assert.notStrictEqual(after?.fingerprint, before?.fingerprint)
      assert.strictEqual(after?.readiness.status, "ready")
      assert.match(after?.readiness.warnings.join() ?? "", /^the certificate of TLS_CERT_FILE ended at 2021-/)
    })
  )
)
