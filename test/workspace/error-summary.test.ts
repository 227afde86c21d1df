/** The summary of a form's problems leads to the control of each of them. */
import { assert, describe, it } from "@effect/vitest"
import { textField, type FormState } from "../../src/workspace/kit/fields.ts"
import { page } from "../../src/workspace/kit/page.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { problemsOn } from "../support/page-forms.ts"

const state: FormState = {
  sent: { due: "soon" },
  problems: [
    { field: "due", message: "The day is a date such as 2026-11-21." },
    { field: "signedAt", message: "The time lies in the future." }
  ]
}

const html = page(
  { title: "A task", problems: state.problems },
  textField(state, { name: "due", label: "Due until the end of", type: "date" })
)

describe("the summary of a form's problems", () => {
  it("The problem of a date links to the date's input itself.", () => {
    const answer = { text: html } as Parameters<typeof problemsOn>[0]
    assert.deepStrictEqual(problemsOn(answer), [["due", "The day is a date such as 2026-11-21."]])
    assert.match(html, /<input id="field-due"[^>]* aria-invalid="true" type="date"/)
  })

  it("A problem whose control the page does not show is stated without a link.", () => {
    assert.include(html, "<li>The time lies in the future.</li>")
    assert.deepStrictEqual(accessibilityFaults(html), [])
  })
})
