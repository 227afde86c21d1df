/** Accessibility rules that every page must meet, checked on its text. */

/** The violations, as sentences. */
export const accessibilityFaults = (html: string): ReadonlyArray<string> => {
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  const missing = (what: string, names: ReadonlyArray<string>) =>
    names.filter((name) => !ids.includes(name)).map((name) => `${what} refers to the missing id ${name}`)
  const inAttribute = (name: string) =>
    [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].flatMap(([, value]) => value!.split(" "))
  const headings = html.match(/<h1[ >]/g) ?? []
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two elements have the id ${id}`),
    ...missing(
      "a link",
      [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id!)
    ),
    ...[...(html.match(/<section class="problems".*?<\/section>/s)?.[0] ?? "").matchAll(/ href="#([^"]*)"/g)]
      // Where a group has nothing left to choose, its statement takes the focus instead.
      .filter(
        ([, id]) =>
          !new RegExp(`<(?:(?:input|select|textarea)[^>]* id="${id}"|div id="${id}" tabindex="-1")`).test(html)
      )
      .map(([, id]) => `a problem links to ${id}, which takes no focus`),
    ...missing("a description", inAttribute("aria-describedby")),
    ...missing("a name", inAttribute("aria-labelledby")),
    ...missing("a label", inAttribute("for")),
    ...(headings.length === 1 ? [] : [`${headings.length} headings are the first`]),
    ...[...html.matchAll(/<(?:input|select|textarea)([^>]*)>/g)]
      .filter(([, control]) => !control!.includes('type="hidden"'))
      .filter(([, control]) => !isLabelled(html, / id="([^"]*)"/.exec(control!)?.[1]))
      .map(([control]) => `no label for ${control}`),
    ...(html.match(/<(ul|ol|dl|h1|h2|legend|button|caption)[^>]*><\/\1>/g) ?? []).map((one) => `empty element ${one}`)
  ]
}

const isLabelled = (html: string, id: string | undefined): boolean =>
  id !== undefined && new RegExp(`<label for="${id}"[^>]*>[^]+?</label>`).test(html)
