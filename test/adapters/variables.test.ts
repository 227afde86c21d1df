/** A misspelled variable would silently mean the default: it is refused; names of other programs are ignored. */
import { assert, describe, it } from "vitest"
import { misspellings, variables } from "../../src/adapters/variables.ts"

describe("a variable that is none of Countersign's", () => {
  it.each([
    ["DATBASE_URL", "DATABASE_URL"],
    ["DATABASE_ULR", "DATABASE_URL"],
    ["DATABASEURL", "DATABASE_URL"],
    ["DATABASE_URI", "DATABASE_URL"],
    ["database_url", "DATABASE_URL"],
    ["SECRETS_KEY", "SECRET_KEY"],
    ["DATADIR", "DATA_DIR"],
    ["METRIC_PORT", "METRICS_PORT"]
  ])("is refused if one edit of its name gives a known one: %s", (name, meant) => {
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
  ])("is left alone where it may be another program's: %s", (name) => {
    assert.deepStrictEqual(misspellings([name]), [])
  })

  it("is left alone beside the variable that it resembles, which is set itself", () => {
    assert.deepStrictEqual(misspellings(["DATABASE_URI", "DATABASE_URL", "DATADIR"]), [
      "DATADIR is no variable of Countersign; did you mean DATA_DIR? Correct or unset it"
    ])
  })

  it("is not one of Countersign's own, though some of them resemble each other", () => {
    assert.deepStrictEqual(misspellings(variables), [])
  })
})
