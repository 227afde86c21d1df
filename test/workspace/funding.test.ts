/** What members read of their organization's credits, and how more are granted. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { grantCredits } from "../../src/records/credits.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { issued, join } from "../support/issued.ts"
import { formsOn, readPage } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { wordsOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const path = "/workspace/funding"

layer(freshTestService, { excludeTestServices: true })("the credits of an organization", (it) => {
  it.effect("are shown with every entry, and with the command that grants more", () =>
    Effect.gen(function* () {
      const buyer = yield* signInAnew("Dana")
      const supplier = yield* signInAnew("Sam")
      const { organizationId } = buyer
      assert.include(wordsOn(yield* readPage(buyer, path)), "Nothing was granted or used yet.")
      yield* grantCredits({ organizationId, credits: 2, reference: "order <b>7</b> \u202e" })
      yield* issued({ buyer, supplier })
      const page = yield* readPage(buyer, path)
      const words = wordsOn(page)
      for (const said of [
        "Balance 2 credits",
        "+2",
        "-1",
        "order &lt;b>7&lt;/b> ‹U+202E›",
        `countersign admin grant-credits --organization ${organizationId} --credits 1 --reference &quot;grant 1&quot;`
      ]) {
        assert.include(words, said)
      }
      assert.deepStrictEqual(faultsOf(page.text), [])
      // Nothing on this page makes a credit.
      assert.deepStrictEqual(
        formsOn(page.text).map(({ action }) => action),
        ["/workspace/sign-out"]
      )
      assert.include(wordsOn(yield* readPage(supplier, path)), "Balance 0 credits")
    })
  )

  it.effect("are shown to members who may see them, and others read why they are not", () =>
    Effect.gen(function* () {
      const dana = yield* signInAnew("Dana")
      yield* grantCredits({ organizationId: dana.organizationId, credits: 7, reference: "order" })
      for (const authority of ["FINANCIAL_READ", "RECORD_ISSUE"] as const) {
        const member = yield* join(dana, "Rita", [authority])
        assert.include(wordsOn(yield* readPage(member, path)), "Balance 7 credits")
      }
      const other = wordsOn(yield* readPage(yield* join(dana, "Mia", ["AGREEMENT_CREATE"]), path))
      assert.notInclude(other, "7 credits")
      assert.include(other, "lets you neither see credits nor issue result records")
      const stranger = wordsOn(yield* readPage(yield* signInAnew("Eve"), path))
      assert.notInclude(stranger, dana.organizationId)
      assert.notInclude(stranger, "7 credits")
    })
  )

  it.effect("go on on further pages where there are many entries", () =>
    Effect.gen(function* () {
      const { organizationId, ...dana } = yield* signInAnew("Dana")
      const many = limits.creditEntriesRead + 2
      for (let entry = 1; entry <= many; entry++) {
        yield* grantCredits({ organizationId, credits: 1, reference: `order ${entry}.` })
      }
      const first = yield* readPage(dana, path)
      assert.include(wordsOn(first), `order ${many}.`)
      assert.notInclude(wordsOn(first), "order 2.")
      const [, next] = /href="([^"]*before=[^"]*)"/.exec(first.text)!
      const older = yield* readPage(dana, next!.replaceAll("&amp;", "&"))
      assert.include(wordsOn(older), "order 2.")
      assert.include(wordsOn(older), "order 1.")
      assert.notInclude(older.text, "before=")
      for (const query of ["before=0", "before=x", "organizationId=x&before=2", `before=${"9".repeat(40)}`]) {
        assert.strictEqual((yield* readPage(dana, `${path}?${query}`)).status, 200)
      }
    })
  )
})
