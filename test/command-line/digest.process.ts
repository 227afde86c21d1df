/** `countersign digest`: the files of a submission, hashed on the agent's own machine. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { limits } from "../../src/vocabulary/limits.ts"
import { materialsOf, readProjectAsPerson, commandAsPerson, runToLocked } from "../support/person-commands.ts"
import { runCommand } from "../support/run-command.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

let folder: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-digest-"))
  fs.writeFileSync(path.join(folder, "logo.svg"), "<svg/>")
  fs.writeFileSync(path.join(folder, "empty.txt"), "")
  fs.mkdirSync(path.join(folder, "other"))
  fs.writeFileSync(path.join(folder, "other", "logo.svg"), "another")
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const digest = (names: ReadonlyArray<string>, reference = "shared folder") =>
  runCommand({}, "digest", ...names.map((name) => path.join(folder, name)), "--reference", reference)

describe("countersign digest", () => {
  it.live("It prints name, reference, size and SHA-256 in the order of the files, which sha256sum confirms.", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* digest(["logo.svg", "empty.txt"], " Folder 7 | logos ")
      const sha256Of = (name: string) =>
        execFileSync("sha256sum", [path.join(folder, name)], { encoding: "utf8" }).slice(0, 64)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(JSON.parse(stdout), [
        { name: "logo.svg", reference: " Folder 7 | logos ", size: 6, sha256: sha256Of("logo.svg") },
        { name: "empty.txt", reference: " Folder 7 | logos ", size: 0, sha256: sha256Of("empty.txt") }
      ])
    })
  )

  it.live("Its output is accepted unchanged as the files of a submitted item.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      const projectId = yield* runToLocked({ buyer, supplier })
      const view = yield* readProjectAsPerson(supplier, projectId)
      const files = JSON.parse((yield* digest(["logo.svg", "empty.txt"])).stdout)
      const items = [{ criterionId: "vector", summary: "Both.", references: [], files }]
      const answer: Answer = yield* commandAsPerson(supplier, projectId, "submit", materialsOf(view, { items }))
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(answer.body.project.submission.items[0].files, files)
    }).pipe(Effect.provide(freshTestService), Effect.scoped)
  )

  it.live(
    "Every file that cannot be submitted is one line with its field, and nothing is printed for the others.",
    () =>
      Effect.gen(function* () {
        const missing = yield* digest(["logo.svg", "other", "nothing.txt"])
        assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
        assert.match(missing.output, /^countersign: files\[1\]: \S+other is not a regular file$/m)
        assert.match(missing.output, /^countersign: files\[2\]: ENOENT/m)
        const named = yield* digest(["logo.svg", "other/logo.svg"])
        assert.strictEqual(named.code, 1)
        assert.match(named.output, /^countersign: files\[1\]\.name: \S+ has the name of files\[0\]: rename one$/m)
      })
  )

  it.live("A pipe is refused without waiting for its writer.", () =>
    Effect.gen(function* () {
      execFileSync("mkfifo", [path.join(folder, "pipe")])
      assert.match((yield* digest(["pipe"])).output, /pipe is not a regular file/)
    })
  )

  it.live("Limits are named: the files of one criterion, the characters of a name and of the reference.", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: limits.filesPerItem + 1 }, (_, index) => `${index}`)
      assert.include((yield* digest(many)).output, `files: at most ${limits.filesPerItem} for one criterion`)
      const long = "n".repeat(limits.titleCharacters + 1)
      assert.include((yield* digest([long])).output, `files[0].name: at most ${limits.titleCharacters} characters`)
      for (const reference of [" ", "r".repeat(limits.textCharacters + 1)]) {
        const { code, output } = yield* digest(["logo.svg"], reference)
        assert.deepStrictEqual(
          [code, output.trim()],
          [1, `countersign: reference: 1 to ${limits.textCharacters} characters`]
        )
      }
    })
  )
})
