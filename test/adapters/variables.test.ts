/** A misspelled variable would silently have no effect, so it is refused; names of other programs are ignored. */
import { assert, describe, it } from "vitest"
import { misspellings, variables } from "../../src/adapters/variables.ts"

describe("unknown variables", () => {
  it.each([
    ["DATBASE_URL", "DATABASE_URL"],
    ["DATABASE_ULR", "DATABASE_URL"],
    ["DATABASEURL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["database_url", "DATABASE_URL"],
    ["SECRETS_KEY", "SECRET_KEY"],
    ["DATADIR", "DATA_DIR"],
    ["METRIC_PORT", "METRICS_PORT"]
  ])("%s is refused as a misspelling, since one edit of its name yields a known one.", (name, meant) => {
    assert.deepStrictEqual(misspellings([name]), [
      `${name} is no variable of Countersign; did you mean ${meant}? Correct or unset it`
    ])
  })

  it.each([
    "PATH",
    "HOME",
    "HOSTNAME",
    "HOSTS",
    "POST",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
    "HTTP_URL",
    "METRICS_HOST",
    "DATABASE_HOST",
    "SECURE_KEY",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
  ])("%s is ignored, since it may belong to another program.", (name) => {
    assert.deepStrictEqual(misspellings([name]), [])
  })

  it("A name that resembles a variable that is set itself is ignored.", () => {
    assert.deepStrictEqual(misspellings(["DATABASE_URI", "DATABASE_URL", "DATADIR"]), [
      "DATADIR is no variable of Countersign; did you mean DATA_DIR? Correct or unset it"
    ])
  })

  it("No variable of Countersign counts as a misspelling of another.", () => {
    assert.deepStrictEqual(misspellings(variables), [])
  })
})
