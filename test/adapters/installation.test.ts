/** The files of an installation are read strictly: an invalid one stops the start with a clear sentence. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as InstallationFiles from "../../src/adapters/installation.ts"
import { Installation } from "../../src/ports/installation.ts"
import { temporaryDirectory } from "../support/installation.ts"

/** The prerequisites of an installation whose texts directory has this file; without one where it is undefined. */
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
  it.live("The prerequisites are those of the file, in its order; without a file there are none.", () =>
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
    ["an empty file", "", /strict JSON/],
    [
      "a duplicate member",
      '{"schema":"countersign.prerequisites/v1","prerequisites":[],"prerequisites":[]}',
      /strict JSON/
    ],
    ["a duplicate id", fileOf([one, { ...one, met: false }]), /one id twice/],
    ["an unknown member", fileOf([{ ...one, mett: true }]), /documented form/],
    ["another member beside the list", fileOf([one], { version: 1 }), /documented form/],
    ["another schema", fileOf([one], { schema: "countersign.prerequisites/v2" }), /documented form/],
    ["a text in place of a boolean", fileOf([{ ...one, met: "true" }]), /documented form/],
    ["a missing member", fileOf([{ id: "a", statement: "b" }]), /documented form/],
    ["an empty statement", fileOf([{ ...one, statement: "" }]), /documented form/],
    ["an id of two words", fileOf([{ ...one, id: "two words" }]), /documented form/]
  ]
  for (const [content, file, message] of wrong) {
    it.live(`Prerequisites with ${content} stop the start.`, () =>
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
