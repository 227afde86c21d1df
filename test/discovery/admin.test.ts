/** `countersign admin publish-specification` with its output and its refusals. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { digestOfDocument, documentOf } from "../../src/discovery/specification.ts"
import { readSpecificationFile } from "../../src/command-line/specification-file.ts"
import { Refusal } from "../../src/vocabulary/refusals.ts"
import { installationOn, type Environment } from "../support/installation.ts"
import { runCommand } from "../support/run-command.ts"
import { freshService } from "../support/service.ts"
import { specificationOf } from "../support/specifications.ts"

const content = specificationOf("logo", { title: "A logo" })

/** A temporary file with this content, removed with the scope. */
const temporaryFile = Effect.fnUntraced(function* (text: string | Uint8Array | undefined) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "countersign-specification-"))),
    (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
  )
  const file = path.join(folder, "specification.json")
  if (text !== undefined) fs.writeFileSync(file, text)
  return file
})

const published = Effect.fnUntraced(function* (environment: Environment, text: string) {
  const file = yield* temporaryFile(text)
  return yield* runCommand(environment, "admin", "publish-specification", file)
})

const jsonIn = (output: string): any => JSON.parse(/^\{$[^]*?^\}$/m.exec(output)?.[0] ?? "null")

it.live(
  "The command publish-specification prints id, version, digest and address, or every issue with its path.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { environment } = yield* installationOn(yield* freshService)
        const here = { ...environment, SITE_URL: "https://countersign.example" }
        const expectedOutput = (version: number, scope = content.scope) => ({
          id: "logo",
          version,
          digest: digestOfDocument(documentOf({ ...content, scope }, version)),
          address: `https://countersign.example/api/discover/specifications/logo/versions/${version}`
        })
        const first = yield* published(here, JSON.stringify(content))
        assert.strictEqual(first.code, 0, first.output)
        assert.deepStrictEqual(jsonIn(first.output), expectedOutput(1))
        const second = yield* published(here, JSON.stringify({ ...content, scope: "More." }))
        assert.deepStrictEqual(jsonIn(second.output), expectedOutput(2, "More."))
        const again = yield* published(here, JSON.stringify(content, null, 2))
        assert.deepStrictEqual(jsonIn(again.output), expectedOutput(1))

        const wrong = {
          id: "Logo",
          title: "\u200b",
          summary: "s".repeat(1001),
          criteria: [{ id: "a", title: "A" }],
          version: 3
        }
        const refused = yield* published(here, JSON.stringify(wrong))
        assert.strictEqual(refused.code, 1)
        const { error, issues } = jsonIn(refused.output)
        assert.strictEqual(error, "INVALID_REQUEST")
        assert.sameMembers(
          issues.map((issue: { readonly path: string }) => issue.path),
          ["id", "title", "summary", "scope", "criteria[0].requirement", "version"]
        )
      })
    ),
  120_000
)

it.effect.each([
  [`{"id":"logo","id":"logo"}`, "id"],
  [`{"id":"logo","title":"\\u0000"}`, "title"],
  [`{"criteria":[{"id":1.5}]}`, "criteria[0].id"],
  [`[]`, ""],
  ["", ""],
  [new Uint8Array([0xff]), ""]
] as const)("The command publish-specification reads its file strictly: %s", ([text, place]) =>
  Effect.gen(function* () {
    const refused = yield* Effect.flip(Effect.flatMap(temporaryFile(text), readSpecificationFile))
    assert.instanceOf(refused, Refusal)
    assert.deepStrictEqual([refused.code, refused.facts.issues?.[0]?.path], ["INVALID_REQUEST", place])
  })
)

it.effect("The command publish-specification reports a missing file.", () =>
  Effect.gen(function* () {
    const stopped = yield* Effect.flip(Effect.flatMap(temporaryFile(undefined), readSpecificationFile))
    assert.instanceOf(stopped, Error)
    assert.match(stopped.message, /^ENOENT/)
  })
)
