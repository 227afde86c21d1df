/** What a start says about the files that its settings name; how it says it is a matter of test/processes. */
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

/** The problems of a start from an empty data directory with these variables besides. */
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

describe("a start", () => {
  it.live("has no problem with an empty data directory, nor with a TLS pair that fits", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsWith({}), [])
      assert.deepStrictEqual(yield* problemsWith(pair("certificate.pem", "key.pem")), [])
    })
  )

  const wrong: ReadonlyArray<readonly [string, Environment, RegExp]> = [
    ["a METRICS_PORT that is its PORT", { PORT: "9090", METRICS_PORT: "9090" }, /^METRICS_PORT: 9090 is the PORT/],
    [
      "a certificate that is not there",
      pair("nowhere.pem", "key.pem"),
      /^TLS_CERT_FILE: \S+nowhere\.pem cannot be read/
    ],
    ["a certificate that is none", pair("key.pem", "key.pem"), /^TLS_CERT_FILE: \S+key\.pem holds no certificate/],
    [
      "a key that is none",
      pair("certificate.pem", "certificate.pem"),
      /^TLS_KEY_FILE: \S+certificate\.pem holds no priv/
    ],
    [
      "a key of another certificate",
      pair("certificate.pem", "callbacks/receiver.key.pem"),
      /^TLS_KEY_FILE: .* not that/
    ],
    ["legal texts that are not there", { LEGAL_TEXTS_DIR: "/nowhere" }, /^LEGAL_TEXTS_DIR: .*\/nowhere/],
    [
      "issuer keys of another form",
      { ISSUER_KEYS_FILE: path.resolve("package.json") },
      /^ISSUER_KEYS_FILE: .* form: see schema$/
    ],
    ["a DATA_DIR that is a file", { DATA_DIR: path.resolve("package.json") }, /^DATA_DIR: \S+ is no directory$/],
    ["a DATA_DIR where nothing can be made", { DATA_DIR: "/proc/nothing" }, /^DATA_DIR: no file can be made in \/proc/]
  ]
  for (const [name, more, told] of wrong) {
    it.live(`is refused for ${name}, in one line that begins with the variable`, () =>
      Effect.gen(function* () {
        const problems = yield* problemsWith(more)
        assert.lengthOf(problems, 1)
        assert.match(problems[0] ?? "", told)
        assert.notInclude(problems.join(""), "\n")
      })
    )
  }

  it.live("of a worker or an administrator needs no TLS files", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* problemsWith(pair("nowhere.pem", "nowhere.pem"), "BESIDE_SERVER"), [])
    })
  )
})
