/** Groups of boxes with a problem: the box that the error summary links to announces it. */
import { assert, describe, it } from "@effect/vitest"
import { checkboxGroup, radioGroup } from "../../src/workspace/kit/choices.ts"
import { emptyForm } from "../../src/workspace/kit/fields.ts"
import { render } from "../../src/workspace/kit/html.ts"

const options = {
  name: "role",
  legend: "Role",
  choices: [
    { value: "BUYER", label: "Buyer", hint: "Reviews." },
    { value: "SUPPLIER", label: "Supplier" }
  ]
}

describe.each([
  ["radio buttons", radioGroup],
  ["checkboxes", checkboxGroup]
])("groups of %s", (_, group) => {
  const boxesOf = (html: string) => html.match(/<input[^>]*>/g) ?? []

  it("A problem is announced at the box that the error summary links to.", () => {
    const problems = [{ field: "role", message: "Choose one." }]
    const [first, second] = boxesOf(render(group({ sent: {}, problems }, options)))
    assert.include(first, 'id="field-role"')
    assert.include(first, 'aria-invalid="true"')
    assert.include(first, 'aria-describedby="field-role-problem field-role-about"')
    assert.notInclude(second, "aria-")
  })

  it("A group without a problem has no invalid box.", () => {
    assert.notInclude(boxesOf(render(group(emptyForm, options))).join(""), "aria-invalid")
  })
})
