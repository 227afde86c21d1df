/** The checks of a start on the files that its settings name; the output of a start is tested in test/processes. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { startFindings, type StartKind } from "../../src/adapters/checks/start.ts"
import { readSettings } from "../../src/adapters/configuration.ts"
import { embeddedInstallation, type Environment } from "../support/installation.ts"

const tls = path.resolve(import.meta.dirname, "../support/tls")
const pair = (certificate: string, key: string): Environment => ({
  TLS_CERT_FILE: path.join(tls, certificate),
  TLS_KEY_FILE: path.join(tls, key)
})

/** The problems of a start with an empty data directory and these additional variables. */
const problemsWith = (more: Environment, starting: StartKind = "SERVER") =>
  Effect.gen(function* () {
    const environment = { ...(yield* embeddedInstallation), ...more }
    const settings = yield* Effect.provideService(
      readSettings,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord(environment)
    )
    const findings = yield* startFindings(settings, starting)
    if (more["DATA_DIR"] === undefined) assert.isFalse(fs.existsSync(environment.DATA_DIR), "nothing is made")
    return findings.filter(({ outcome }) => outcome === "PROBLEM").map(({ message }) => message)
  }).pipe(Effect.scoped)

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

  it.live("The start of a worker or an admin command needs no TLS files.", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsWith(pair("nowhere.pem", "nowhere.pem"), "BESIDE_SERVER"), [])
    })
  )
})
