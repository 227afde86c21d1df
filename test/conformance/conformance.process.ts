/** The probes of conformance, on the Postgres of the tests, and its command line. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { freshDatabase } from "../support/postgres.ts"
import { features, probeTable } from "./features.ts"
import { help, readOptions } from "./options.ts"
import { suitesOn } from "./suites.ts"

const url = "postgres://operator@127.0.0.1:5432/empty"

describe("probed features", () => {
  it.live("The Postgres of the tests lacks no feature", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase(probeTable)
      for (const { name, probe } of features) {
        const probed = yield* Effect.result(Effect.scoped(probe(database)))
        assert.isTrue(Result.isSuccess(probed), `${name}: ${Result.isFailure(probed) ? probed.failure.answer : ""}`)
      }
    })
  )

  it.live("A lacking feature is reported with its statement and the engine's answer", () =>
    Effect.gen(function* () {
      const database = yield* freshDatabase(probeTable.slice(0, 1))
      const claim =
        features.find(({ name }) => name === "skip locked in a claim") ?? assert.fail("the probe does not exist")
      const { statement, answer } = yield* Effect.flip(Effect.scoped(claim.probe(database)))
      assert.match(statement, /skip locked/)
      assert.strictEqual(answer, "undefined, not a")
    })
  )

  it("Every feature has a name of its own", () => {
    const names = features.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
  })
})

describe("command line of conformance", () => {
  it("The short form is the default", () => {
    assert.deepEqual(readOptions(["--database-url", url]), { url, isLong: false, isFeaturesOnly: false, seed: 1 })
    assert.deepEqual(readOptions(["--database-url", url, "--long", "--seed", "7"]), {
      url,
      isLong: true,
      isFeaturesOnly: false,
      seed: 7
    })
  })

  it.each([
    [[], "expected --database-url <url>: an empty database of the engine"],
    [["--database-url", "mysql://a/b"], /^--database-url: /],
    [["--database-url", "postgres://a,b/c"], /^--database-url: expected one host and port/],
    [["--database-url", "postgres://a/c?host=/run"], /^--database-url: expected one host and port/],
    [["--database-url", url, "--seed", "x"], "--seed: expected a number of at most 9 digits"],
    [["--database-url", url, "--fast"], /^Unknown option '--fast'/]
  ] as const)("Unusable arguments %j are answered with one sentence", (words, sentence) => {
    const read = readOptions(words)
    const problem = typeof read === "object" && "problem" in read ? read.problem : assert.fail("they were read")
    if (typeof sentence === "string") assert.strictEqual(problem, sentence)
    else assert.match(problem, sentence)
  })

  it("The help names every option", () => {
    assert.strictEqual(readOptions(["--help"]), "HELP")
    for (const option of ["--database-url", "--long", "--features", "--seed"]) assert.include(help, option)
  })

  it("Every suite takes the engine by its address, and --long runs more of each", () => {
    const [short, long] = [suitesOn(url, false, 1), suitesOn(url, true, 1)]
    assert.deepEqual(
      short.map(({ name }) => name),
      ["contract", "differential runs", "outcomes", "soak"]
    )
    for (const [index, { name, arguments: words }] of long.entries()) {
      if (name !== "contract") assert.notDeepEqual(words, short[index]!.arguments)
    }
  })
})
