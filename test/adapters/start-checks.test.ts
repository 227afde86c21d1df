/** The checks of a start on the files that its settings name; the output of a start is tested in test/processes. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { startFindings, type StartKind } from "../../src/adapters/checks/start.ts"
import type { Finding } from "../../src/adapters/checks/finding.ts"
import { readSettings } from "../../src/adapters/configuration.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { embeddedInstallation, temporaryDirectory, type Environment } from "../support/installation.ts"
import { addIssuerKey } from "../support/key-files.ts"

const tls = path.resolve(import.meta.dirname, "../support/tls")
const pair = (certificate: string, key: string): Environment => ({
  TLS_CERT_FILE: path.join(tls, certificate),
  TLS_KEY_FILE: path.join(tls, key)
})

/** The findings of a start with an empty data directory and these additional variables. */
const findingsWith = (more: Environment, starting: StartKind = "SERVER") =>
  Effect.gen(function* () {
    const environment = { ...(yield* embeddedInstallation), ...more }
    const settings = yield* Effect.provideService(
      readSettings,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord(environment)
    )
    const findings = yield* startFindings(settings, starting)
    if (more["DATA_DIR"] === undefined) assert.isFalse(fs.existsSync(environment.DATA_DIR), "nothing is made")
    return findings
  }).pipe(Effect.scoped)

const messagesOf = (findings: ReadonlyArray<Finding>, wanted: Finding["outcome"]) =>
  findings.filter(({ outcome }) => outcome === wanted).map(({ message }) => message)

const problemsWith = (more: Environment, starting: StartKind = "SERVER") =>
  Effect.map(findingsWith(more, starting), (findings) => messagesOf(findings, "PROBLEM"))

describe("checks of a start", () => {
  it.live("A start accepts an empty data directory and a matching TLS pair.", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsWith({}), [])
      assert.deepStrictEqual(yield* problemsWith(pair("certificate.pem", "key.pem")), [])
    })
  )

  const wrong: ReadonlyArray<readonly [string, Environment, RegExp]> = [
    ["a METRICS_PORT equal to its PORT", { PORT: "9090", METRICS_PORT: "9090" }, /^METRICS_PORT: 9090 is the PORT/],
    ["a missing certificate", pair("nowhere.pem", "key.pem"), /^TLS_CERT_FILE: \S+nowhere\.pem cannot be read/],
    [
      "a file that is not a certificate",
      pair("key.pem", "key.pem"),
      /^TLS_CERT_FILE: \S+key\.pem holds no certificate/
    ],
    [
      "a file that is not a key",
      pair("certificate.pem", "certificate.pem"),
      /^TLS_KEY_FILE: \S+certificate\.pem holds no priv/
    ],
    [
      "a key of another certificate",
      pair("certificate.pem", "webhooks/receiver.key.pem"),
      /^TLS_KEY_FILE: .* not that/
    ],
    [
      "a missing SECRET_KEY_FILE",
      { SECRET_KEY_FILE: "/nowhere" },
      /^SECRET_KEY_FILE: the secret key in \/nowhere cannot/
    ],
    [
      "a SECRET_KEY_PREVIOUS_FILE of another form",
      { SECRET_KEY_PREVIOUS_FILE: path.resolve("package.json") },
      /^SECRET_KEY_PREVIOUS_FILE: the secret key in \S+ does not have the documented form$/
    ],
    ["missing legal texts", { LEGAL_TEXTS_DIR: "/nowhere" }, /^LEGAL_TEXTS_DIR: .*\/nowhere/],
    [
      "issuer keys of another form",
      { ISSUER_KEYS_FILE: path.resolve("package.json") },
      /^ISSUER_KEYS_FILE: .* form: see schema$/
    ],
    ["a DATA_DIR that is a file", { DATA_DIR: path.resolve("package.json") }, /^DATA_DIR: \S+ is no directory$/],
    ["a DATA_DIR where nothing can be made", { DATA_DIR: "/proc/nothing" }, /^DATA_DIR: no file can be made in \/proc/]
  ]
  for (const [name, more, expected] of wrong) {
    it.live(`A start is refused for ${name}, in one line that begins with the variable.`, () =>
      Effect.gen(function* () {
        const problems = yield* problemsWith(more)
        assert.lengthOf(problems, 1)
        assert.match(problems[0] ?? "", expected)
        assert.notInclude(problems.join(""), "\n")
      })
    )
  }

  it.live("A key file or certificate that ends within 30 days is a warning, and an empty previous key is none.", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [keysFile, previousFile] = ["keys.json", "previous"].map((name) => path.join(directory, name))
      const keys = { schema: "service.issuer-private-keys/v1", issuer: "example", environment: "test", keys: [] }
      fs.writeFileSync(keysFile!, JSON.stringify(keys))
      addIssuerKey(keysFile!, { validUntil: addMilliseconds(yield* now, 86_400_000) })
      fs.writeFileSync(previousFile!, "\n")
      const findings = yield* findingsWith({
        ISSUER_KEYS_FILE: keysFile!,
        SECRET_KEY_PREVIOUS_FILE: previousFile!,
        ...pair("webhooks/expired.pem", "webhooks/receiver.key.pem")
      })
      assert.deepStrictEqual(messagesOf(findings, "PROBLEM"), [])
      const warnings = messagesOf(findings, "WARNING")
      assert.lengthOf(warnings, 2)
      assert.match(
        warnings[0]!,
        /^ISSUER_KEYS_FILE: the issuer key \S+ ends at \S+, and no later key follows for EVENT, /
      )
      assert.match(warnings[1]!, /^TLS_CERT_FILE: the certificate of TLS_CERT_FILE ended at 2021-/)
      assert.include(messagesOf(findings, "OK"), `SECRET_KEY_PREVIOUS_FILE: ${previousFile} is empty: no previous key`)
    }).pipe(Effect.scoped)
  )

  it.live("The start of a worker or an admin command needs no TLS files.", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsWith(pair("nowhere.pem", "nowhere.pem"), "BESIDE_SERVER"), [])
    })
  )
})
