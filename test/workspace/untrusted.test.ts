/** Untrusted text never becomes markup, never leaves its attribute and never stays invisible. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { h } from "preact"
import { checkbox, checkboxGroup } from "../../src/workspace/kit/choices.ts"
import { emptyForm, errorSummary, hidden, select, textArea, textField } from "../../src/workspace/kit/fields.ts"
import { render, untrusted, untrustedLines } from "../../src/workspace/kit/html.ts"
import { page } from "../../src/workspace/kit/page.ts"
import { code, facts, linkTo, table } from "../../src/workspace/kit/parts.ts"
import { scriptPaths } from "../../src/workspace/kit/script-paths.ts"
import { refusalPage } from "../../src/workspace/kit/refusal-page.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        "<",
        ">",
        '"',
        "'",
        "&",
        "`",
        "=",
        "/",
        "<script>alert(1)</script>",
        "</title>",
        "</textarea>",
        "]]>",
        "<!--",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufeff",
        "\u0000",
        "\u001b[31m",
        "\r",
        "\n",
        "\u2028",
        "\u00a0",
        "\u00ad",
        "\u3164",
        "\u2800",
        " ",
        "\udc00",
        "\u{e0041}",
        "javascript:",
        "a"
      ),
      { maxLength: 12 }
    )
    .map((parts) => parts.join(""))
)

// Single characters outside the classes that no font draws.
const visibleOnly = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u
const contentOf = (html: string) => html.slice("<!doctype html>\n".length)

describe("untrusted texts", () => {
  it("An untrusted text is one element without invisible characters or markup.", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = contentOf(render(untrusted(text)))
        const [, inside] = /^<bdi class="untrusted">([^<]*)<\/bdi>$/.exec(html) ?? assert.fail(html)
        assert.notInclude(inside!, '"')
        assert.match(inside!, visibleOnly)
      }),
      { numRuns: 2000 }
    )
  })

  it("Every line of an untrusted text has its own mark and element.", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = contentOf(render(untrustedLines(text)))
        assert.match(
          html,
          /^<div class="untrusted-lines">(?:<bdi class="untrusted">[^<"]*<\/bdi>(?:<br\/>(?!<\/div>))?)+<\/div>$/
        )
        assert.match(html, visibleOnly)
      }),
      { numRuns: 2000 }
    )
  })

  it.each([
    ["a direction override", "a\u202eb", "a‹U+202E›b"],
    ["a zero-width space", "a\u200bb", "a‹U+200B›b"],
    ["a line break", "a\nb", "a‹U+000A›b"],
    ["a tag character", "a\u{e0041}b", "a‹U+E0041›b"],
    ["half a surrogate pair", "a\ud800b", "a‹U+D800›b"],
    ["a no-break space", "a\u00a0b", "a‹U+00A0›b"],
    ["an empty braille pattern", "a\u2800b", "a‹U+2800›b"],
    ["an empty text as blank", "", "(blank)"],
    ["spaces as blank", "   ", "(blank)"],
    ["letters of other scripts", "שלום 株式会社 é", "שלום 株式会社 é"]
  ])("An untrusted text shows %s visibly.", (_, text, shown) => {
    assert.strictEqual(contentOf(render(untrusted(text))), `<bdi class="untrusted">${shown}</bdi>`)
  })
})

/** A page with the text in every place that can hold one. */
const pageOf = (text: string): string => {
  const state = {
    sent: { name: text, about: text, kind: text, any: [text] },
    problems: [{ field: text, message: text }]
  }
  return page(
    {
      title: text,
      viewer: { name: text, organization: text, formToken: text },
      problems: [{ field: "name", message: text }]
    },
    untrusted(text),
    facts([["Name", untrusted(text)]]),
    table({ caption: text, columns: [text], rows: [[untrusted(text), text]], empty: text }),
    linkTo("/workspace/agents", untrusted(text), text),
    code(text),
    hidden("id", text),
    textField(state, { name: "name", label: "Name", hint: untrusted(text) }),
    textArea(state, { name: "about", label: "About" }),
    select(state, { name: "kind", label: "Kind", choices: [{ value: text, label: text }] }),
    checkbox(emptyForm, { name: "yes", label: untrusted(text) }),
    checkboxGroup(state, { name: "any", legend: untrusted(text), choices: [{ value: text, label: untrusted(text) }] }),
    errorSummary(state.problems, () => true)
  )
}

describe("pages with untrusted texts", () => {
  /** The elements and attribute names of a page, in order; a text must not change them. */
  const skeleton = (html: string) =>
    html
      .replaceAll(/"[^"]*"/g, '""')
      .replaceAll(/>[^<]*</g, "><")
      .replaceAll(/ (?:checked|selected)(?=[ />])/g, "")
      .replaceAll("<br/>", "")

  it("A page has the same elements and attributes for all untrusted texts.", () => {
    const expected = skeleton(pageOf("a name"))
    fc.assert(
      fc.property(hostile, (text) => assert.strictEqual(skeleton(pageOf(`x${text}`)), expected)),
      { numRuns: 1000 }
    )
  })

  const ownScript = `<script type="module" src="${scriptPaths.pages}"></script>`

  it("A page with untrusted texts contains no script and no inline style.", () => {
    const html = pageOf(`<img src=x onerror="alert(1)">`)
    assert.notMatch(html.replace(ownScript, ""), /<script|<style|<img|\sstyle=|\son[a-z]+="/)
  })
})

describe("refusals with untrusted texts", () => {
  it("An untrusted text of a refusal is shown as text.", () => {
    const { body } = refusalPage(
      refusal("INVALID_REQUEST", { detail: "<b>\u202e", issues: [{ path: "", message: "<i>" }] }),
      { request: { method: "GET", url: "/workspace/" } }
    )
    const html = new TextDecoder().decode((body as unknown as { body: Uint8Array }).body)
    assert.include(html, '<bdi class="untrusted">&lt;b>‹U+202E›</bdi>')
    assert.include(html, '<bdi class="untrusted">&lt;i></bdi>')
  })
})

describe("text areas", () => {
  it("A text area keeps a line break at its start.", () => {
    const html = contentOf(render(h("div", null, textArea(emptyForm, { name: "about", label: "About", value: "\nb" }))))
    assert.include(html, ">\n\nb</textarea>")
  })
})
