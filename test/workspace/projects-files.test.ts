/** Files as people enter them, one on each line, and as they tick them in a review. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import {
  prefilledFiles,
  prefilledReferences,
  prefilledText,
  readFiles,
  formatFiles
} from "../../src/workspace/projects/files.ts"
import { sha } from "../support/parties.ts"
import { commandAsPerson, runToLocked, materialsOf, readProjectAsPerson } from "../support/person-commands.ts"
import { pageInputs, actSuccessfully, openAct, projectPage, stateOf } from "../support/project-pages.ts"
import { problemsOn, readPage, submit } from "../support/page-forms.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

describe("lines of files", () => {
  it("Lines of files are parsed with spaces, empty lines, bars in the reference and digests in capitals.", () => {
    const text = `\n a.svg|x | y |0| ${sha.toUpperCase()}\n\n  b.svg | folder | 9007199254740991 | ${sha}\n`
    assert.deepStrictEqual(
      readFiles(text),
      Result.succeed([
        { name: "a.svg", reference: "x | y", size: 0, sha256: sha },
        { name: "b.svg", reference: "folder", size: Number.MAX_SAFE_INTEGER, sha256: sha }
      ])
    )
    assert.deepStrictEqual(readFiles(" \n "), Result.succeed([]))
  })

  it.each([
    ["a | b | 1", "Line 1: four parts are needed, separated by three bars."],
    [`\n | b | 1 | ${sha}`, "Line 2: the name has 1 to 200 characters."],
    [`${"a".repeat(201)} | b | 1 | ${sha}`, "Line 1: the name has 1 to 200 characters."],
    [`a | | 1 | ${sha}`, "Line 1: where it is kept has 1 to 4000 characters."],
    [`a | ${"b".repeat(4_001)} | 1 | ${sha}`, "Line 1: where it is kept has 1 to 4000 characters."],
    [`a | b | -1 | ${sha}`, "Line 1: the size is a whole number of bytes."],
    [`a | b | 9007199254740992 | ${sha}`, "Line 1: the size is a whole number of bytes."],
    [`a | b | 1 | ${sha}0`, "Line 1: the SHA-256 has 64 hexadecimal characters."],
    [`a | b | 1 | ${sha}\na | c | 1 | ${sha}`, "Two files have the same name."],
    [
      Array.from({ length: 101 }, (_, index) => `${index} | b | 1 | ${sha}`).join("\n"),
      "At most 100 files per criterion."
    ]
  ])("The lines of files %j are refused.", (text, problem) => {
    assert.deepStrictEqual(readFiles(text), Result.fail(problem))
  })

  it("Formatted files are parsed to the same files.", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9./ äé]{1,20}$/).map((text) => `x${text.trim()}`)
    const file = fc.record({
      name: word,
      reference: word,
      size: fc.nat(),
      sha256: fc.stringMatching(/^[0-9a-f]{64}$/)
    })
    fc.assert(
      fc.property(fc.uniqueArray(file, { selector: ({ name }) => name, maxLength: 10 }), (files) => {
        assert.deepStrictEqual(readFiles(formatFiles(files)), Result.succeed(files))
      })
    )
  })
})

describe("prefilled deliveries", () => {
  const file = { name: "final.svg", reference: "folder | logos", size: 41, sha256: sha }

  it("A value that the form represents exactly is prefilled.", () => {
    assert.strictEqual(prefilledFiles([file]), `final.svg | folder | logos | 41 | ${sha}`)
    assert.strictEqual(prefilledFiles([]), "")
    assert.strictEqual(prefilledReferences(["a", "b c"]), "a\nb c")
    assert.strictEqual(prefilledText("One.\nTwo."), "One.\nTwo.")
  })

  it.each([
    { name: "final | signed.svg" },
    { name: " final.svg" },
    { reference: "folder|logos" },
    { reference: "folder\nlogos" },
    { reference: "folder \u202e" }
  ])("A file of %j is not prefilled.", (change) => {
    assert.isUndefined(prefilledFiles([{ ...file, ...change }]))
  })

  it.each([["one\ntwo"], [" one"], ["one\r"], [""], ["\u200b"], ["one\u202e"]])(
    "A reference of %j is not prefilled.",
    (one) => {
      assert.isUndefined(prefilledReferences([one]))
    }
  )

  it.each([["\u202eOne"], [" One"], ["One\r\nTwo"]])("A text of %j is not prefilled.", (text) => {
    assert.isUndefined(prefilledText(text))
  })
})

layer(freshTestService, { excludeTestServices: true })("deliveries with many files", (it) => {
  it.effect("A delivery with more files than the form has boxes is accepted by one box for each criterion.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      const ids = ["a", "b", "c", "d"]
      const criteria = ids.map((id) => ({ id, title: id, requirement: "Photos." }))
      const projectId = yield* runToLocked({ buyer, supplier }, { criteria })
      const files = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ name: `${index}`, reference: "x", size: 1, sha256: sha }))
      const items = ids.map((criterionId, index) => ({
        criterionId,
        summary: "Photos.",
        references: [],
        files: files(index === 3 ? 1 : 100)
      }))
      createdBody(
        yield* commandAsPerson(
          supplier,
          projectId,
          "submit",
          materialsOf(yield* readProjectAsPerson(supplier, projectId), { items })
        )
      )
      const page = yield* readPage(buyer, projectPage(projectId, "review"))
      assert.include(page.text, "All 100 files listed above for")
      assert.include(page.text, "<code>countersign digest FILE</code> prints the SHA-256 of each.")
      assert.include(page.text, `<code>${sha}</code>, which <code>countersign digest FILE</code> prints`)
      const form = yield* openAct(buyer, projectId, "review")
      const decisions = Object.fromEntries(
        ids.flatMap((_, index) => [
          [`decision${index + 1}`, "MET"],
          [`note${index + 1}`, ""]
        ])
      )
      const values = { ...pageInputs.review, ...decisions }
      const fewer = yield* submit(buyer, form, { ...values, checked: ["1", "2", "3"] })
      assert.deepStrictEqual(
        problemsOn(fewer).map(([field]) => field),
        ["checked"]
      )
      yield* actSuccessfully(buyer, projectId, "review", { ...values, checked: ["1", "2", "3", "4"] })
      assert.strictEqual(yield* stateOf(buyer, projectId), "BUYER_CONFIRMED")
    })
  )
})
