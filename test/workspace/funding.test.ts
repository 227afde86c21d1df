/** The credits page of an organization. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { grantCredits } from "../../src/records/credits.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { formsOn, readPage } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { textOn } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const path = "/workspace/funding"

layer(freshTestService, { excludeTestServices: true })("credits of an organization", (it) => {
  it.effect("The credits page lists every entry and the command that grants more credits.", () =>
    Effect.gen(function* () {
      const buyer = yield* signInNewPerson("Dana")
      const supplier = yield* signInNewPerson("Sam")
      const { organizationId } = buyer
      assert.include(textOn(yield* readPage(buyer, path)), "No credits were granted or used yet.")
      yield* grantCredits({ organizationId, credits: 2, reference: "order <b>7</b> \u202e" })
      yield* agreementWithRecord({ buyer, supplier })
      const page = yield* readPage(buyer, path)
      const words = textOn(page)
      for (const expected of [
        "Balance 2 credits",
        "+2",
        "-1",
        "order &lt;b>7&lt;/b> ‹U+202E›",
        `countersign admin grant-credits --organization ${organizationId} --credits 1 --reference &quot;grant 1&quot;`
      ]) {
        assert.include(words, expected)
      }
      assert.deepStrictEqual(accessibilityFaults(page.text), [])
      // The page has no form that grants a credit.
      assert.deepStrictEqual(
        formsOn(page.text).map(({ action }) => action),
        ["/workspace/sign-out"]
      )
      assert.include(textOn(yield* readPage(supplier, path)), "Balance 0 credits")
    })
  )

  it.effect("Credits are shown only to members with the authority; other members read the reason.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      yield* grantCredits({ organizationId: dana.organizationId, credits: 7, reference: "order" })
      for (const authority of ["FINANCIAL_READ", "RECORD_ISSUE"] as const) {
        const member = yield* joinOrganization(dana, "Rita", [authority])
        assert.include(textOn(yield* readPage(member, path)), "Balance 7 credits")
      }
      const other = textOn(yield* readPage(yield* joinOrganization(dana, "Mia", ["AGREEMENT_CREATE"]), path))
      assert.notInclude(other, "7 credits")
      assert.include(other, "permits neither seeing credits nor issuing result records")
      const outsider = textOn(yield* readPage(yield* signInNewPerson("Eve"), path))
      assert.notInclude(outsider, dana.organizationId)
      assert.notInclude(outsider, "7 credits")
    })
  )

  it.effect("Many entries continue on further pages.", () =>
    Effect.gen(function* () {
      const { organizationId, ...dana } = yield* signInNewPerson("Dana")
      const many = limits.creditEntriesListed + 2
      for (let entry = 1; entry <= many; entry++) {
        yield* grantCredits({ organizationId, credits: 1, reference: `order ${entry}.` })
      }
      const first = yield* readPage(dana, path)
      assert.include(textOn(first), `order ${many}.`)
      assert.notInclude(textOn(first), "order 2.")
      const [, next] = /href="([^"]*before=[^"]*)"/.exec(first.text)!
      const older = yield* readPage(dana, next!.replaceAll("&amp;", "&"))
      assert.include(textOn(older), "order 2.")
      assert.include(textOn(older), "order 1.")
      assert.notInclude(older.text, "before=")
      for (const query of ["before=0", "before=x", "organizationId=x&before=2", `before=${"9".repeat(40)}`]) {
        assert.strictEqual((yield* readPage(dana, `${path}?${query}`)).status, 200)
      }
    })
  )
})
