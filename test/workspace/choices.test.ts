/** Groups of boxes with something wrong: whoever follows the summary's link hears what it is. */
import { assert, describe, it } from "@effect/vitest"
import { checkboxGroup, radioGroup } from "../../src/workspace/choices.ts"
import { emptyForm } from "../../src/workspace/fields.ts"
import { render } from "../../src/workspace/html.ts"

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
])("a group of %s", (_, group) => {
  const boxesOf = (html: string) => html.match(/<input[^>]*>/g) ?? []

  it("has its problem at the box that the summary leads to", () => {
    const problems = [{ field: "role", message: "Choose one." }]
    const [first, second] = boxesOf(render(group({ sent: {}, problems }, options)))
    assert.include(first, 'id="field-role"')
    assert.include(first, 'aria-invalid="true"')
    assert.include(first, 'aria-describedby="field-role-problem field-role-about"')
    assert.notInclude(second, "aria-")
  })

  it("has none where nothing is wrong", () => {
    assert.notInclude(boxesOf(render(group(emptyForm, options))).join(""), "aria-invalid")
  })
})
