/** Public specifications, for everybody: the search, and the way to each version. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { searchSpecifications } from "../../discovery/search.ts"
import { limits } from "../../vocabulary/limits.ts"
import { queryOf } from "../address.ts"
import { textField, type FormState } from "../fields.ts"
import { untrusted, untrustedLines, visible, type Element } from "../html.ts"
import { page, type Viewer } from "../page.ts"
import { pageRoute } from "../page-route.ts"
import { linkTo, paragraph, section, table } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { findVisitor } from "../visitor.ts"
import { specificationDraft } from "./specifications-draft.ts"
import { specificationPath, specificationsPath } from "./specifications-path.ts"
import { specificationVersion } from "./specifications-version.ts"

type Found = Effect.Success<ReturnType<typeof searchSpecifications>>

const search = pageRoute(
  "GET",
  specificationsPath,
  Effect.gen(function* () {
    const viewer = (yield* findVisitor)?.viewer
    const query = yield* queryOf
    const q = query("q")?.trim() ?? ""
    const state: FormState = { sent: { q }, problems: problemsOf(q) }
    if (q === "" || state.problems.length > 0) {
      return pageResponse(searchPage(viewer, state), state.problems.length > 0 ? 400 : 200)
    }
    const after = query("after")
    const found = yield* searchSpecifications({ q, after })
    return pageResponse(searchPage(viewer, state, resultSection(q, found, after !== undefined)))
  })
)

const problemsOf = (q: string): FormState["problems"] =>
  q.length <= limits.searchCharacters
    ? []
    : [{ field: "q", message: `What you look for has at most ${limits.searchCharacters} characters.` }]

const searchPage = (viewer: Viewer | undefined, state: FormState, results?: Element): string =>
  page(
    { title: "Public specifications", viewer, place: "specifications", problems: state.problems },
    paragraph(
      "Terms that anybody may start a draft from. A version never changes, and its digest says which one was read."
    ),
    // By GET: what is looked for is no secret, and its results have an address.
    h(
      "form",
      { method: "get", action: specificationsPath, class: "fields", role: "search", noValidate: true },
      textField(state, {
        name: "q",
        label: "What you look for",
        hint: "The beginnings of words in the title or the summary; all of them have to be there.",
        maxLength: limits.searchCharacters
      }),
      h("p", { class: "submit" }, h("button", { type: "submit" }, "Search"))
    ),
    results
  )

const resultSection = (q: string, { specifications, next }: Found, isLaterPage: boolean): Element =>
  section(
    isLaterPage ? "More of what was found" : "What was found",
    table({
      caption: "Specifications, those found by their titles first",
      columns: ["Specification", "Summary", "Newest version"],
      rows: specifications.map(({ id, version, title, summary }) => [
        linkTo(specificationPath(id, version), untrusted(title), `${visible(title)}, ${id}`),
        untrustedLines(summary),
        String(version)
      ]),
      empty: isLaterPage ? "There is no more." : "Nothing was found. Fewer words, or only their beginnings, find more."
    }),
    isLaterPage ? paragraph(linkTo(addressOf({ q }), "Back to the first results")) : null,
    next === null ? null : paragraph(linkTo(addressOf({ q, after: next }), "More results"))
  )

const addressOf = (query: Readonly<Record<string, string>>): `/workspace/${string}` =>
  `${specificationsPath}?${new URLSearchParams(query)}`

export const specificationPages = Layer.mergeAll(search, specificationVersion, specificationDraft)
