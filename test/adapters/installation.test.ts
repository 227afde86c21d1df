/** What an operator lays down for the whole installation: read strictly, or the start stops with a clear sentence. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as InstallationFiles from "../../src/adapters/installation.ts"
import { Installation } from "../../src/ports/installation.ts"
import { temporaryDirectory } from "../support/installation.ts"

/** The installation whose folder of texts has this file of prerequisites; none where it is undefined. */
const prerequisitesIn = Effect.fnUntraced(function* (file: string | undefined) {
  const directory = yield* temporaryDirectory
  fs.writeFileSync(path.join(directory, "TERMS-1.txt"), "Terms.")
  if (file !== undefined) fs.writeFileSync(path.join(directory, "prerequisites.json"), file)
  const environment = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ LEGAL_TEXTS_DIR: directory }))
  const installation = InstallationFiles.layer.pipe(Layer.provide(Configuration.layer), Layer.provide(environment))
  return yield* Effect.map(Effect.provide(Installation, installation), ({ prerequisites }) => prerequisites)
})

const one = { id: "contract", statement: "It is signed.", met: true }
const fileOf = (prerequisites: ReadonlyArray<unknown>, more: object = {}) =>
  JSON.stringify({ schema: "countersign.prerequisites/v1", prerequisites, ...more })

describe("the prerequisites", () => {
  it.live("are those of the file, in its order, and none without one", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const other = { id: "a.2", statement: "The other.", met: false }
        assert.deepStrictEqual(yield* prerequisitesIn(fileOf([one, other])), [one, other])
        assert.deepStrictEqual(yield* prerequisitesIn(fileOf([])), [])
        assert.deepStrictEqual(yield* prerequisitesIn(undefined), [])
      })
    )
  )

  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["nothing in it", "", /strict JSON/],
    ["a name twice", '{"schema":"countersign.prerequisites/v1","prerequisites":[],"prerequisites":[]}', /strict JSON/],
    ["an id twice", fileOf([one, { ...one, met: false }]), /one id twice/],
    ["a member that nobody knows", fileOf([{ ...one, mett: true }]), /documented form/],
    ["another member beside the list", fileOf([one], { version: 1 }), /documented form/],
    ["another schema", fileOf([one], { schema: "countersign.prerequisites/v2" }), /documented form/],
    ["a text for whether it is met", fileOf([{ ...one, met: "true" }]), /documented form/],
    ["nothing on whether it is met", fileOf([{ id: "a", statement: "b" }]), /documented form/],
    ["an empty statement", fileOf([{ ...one, statement: "" }]), /documented form/],
    ["an id of two words", fileOf([{ ...one, id: "two words" }]), /documented form/]
  ]
  for (const [told, file, message] of wrong) {
    it.live(`stop the start with ${told}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const failure = yield* Effect.flip(prerequisitesIn(file))
          assert.match(failure.message, /^the prerequisites in \S+\/prerequisites\.json /)
          assert.match(failure.message, message)
          assert.notInclude(failure.message, "\n")
        })
      )
    )
  }
})
