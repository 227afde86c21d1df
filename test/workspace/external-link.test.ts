import { assert, describe, it } from "@effect/vitest"
import { externalLink } from "../../src/workspace/kit/external-link.ts"
import { render } from "../../src/workspace/kit/html.ts"

describe("links to other sites", () => {
  it("An address over HTTPS is a link beside its host.", () => {
    const text = render(externalLink("https://payments.example/c?id=1", "Go to the checkout"))
    assert.include(text, 'href="https://payments.example/c?id=1"')
    assert.include(text, "<code>payments.example</code>")
  })

  it.each(["http://payments.example/c", "javascript:alert(1)", "data:text/html,x", "//payments.example", ""])(
    "The address %j is no link, and the text stays.",
    (address) => {
      const text = render(externalLink(address, "Go to the checkout"))
      assert.notMatch(text, /href|<a/)
      assert.include(text, "Go to the checkout: the address is not one over HTTPS.")
    }
  )
})
