/** The public search for specifications. */
import { Effect, Layer } from "effect"
import { searchSpecifications } from "../../discovery/search.ts"
import { limits } from "../../vocabulary/limits.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { readQueryParameters } from "../kit/url-parameters.ts"
import { textField, type FormState, queryForm } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, paragraph, section, table } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { publicPage } from "../kit/signed-in.ts"
import { specificationDraft } from "./start-draft.ts"
import { specificationPath, specificationsPath } from "./path.ts"
import { specificationVersion } from "./version.ts"

type SearchResult = Effect.Success<ReturnType<typeof searchSpecifications>>

const search = publicPage(specificationsPath, function* (visitor) {
  const viewer = visitor?.viewer
  const query = yield* readQueryParameters
  const q = query("q")?.trim() ?? ""
  const state: FormState = { sent: { q }, problems: problemsOf(q) }
  if (q === "" || state.problems.length > 0) {
    return pageResponse(searchPage(viewer, state), state.problems.length > 0 ? 400 : 200)
  }
  const after = query("after")
  const found = yield* searchSpecifications({ q, after })
  return pageResponse(searchPage(viewer, state, resultSection(q, found, after !== undefined)))
})

const problemsOf = (q: string): FormState["problems"] =>
  q.length <= limits.searchCharacters
    ? []
    : [{ field: "q", message: `The search text has at most ${limits.searchCharacters} characters.` }]

const searchPage = (viewer: Viewer | undefined, state: FormState, results?: Element): string =>
  page(
    { title: "Public specifications", viewer, place: "specifications", problems: state.problems },
    "Public terms for starting drafts. A version never changes and is identified by its digest.",
    queryForm(
      { action: specificationsPath, submitLabel: "Search", role: "search" },
      textField(state, {
        name: "q",
        label: "Search text",
        hint: "Beginnings of words in the title or the summary; all of them must match.",
        maxLength: limits.searchCharacters
      })
    ),
    results
  )

const resultSection = (q: string, { specifications, next }: SearchResult, isLaterPage: boolean): Element =>
  section(
    isLaterPage ? "Further results" : "Results",
    table({
      caption: "Specifications, matches in the title first",
      columns: ["Specification", "Summary", "Newest version"],
      rows: specifications.map(({ id, version, title, summary }) => [
        linkTo(specificationPath(id, version), untrusted(title), `${visible(title)}, ${id}`),
        untrustedLines(summary),
        String(version)
      ]),
      empty: isLaterPage ? "There are no more results." : "No results. Use fewer words or only their beginnings."
    }),
    isLaterPage ? paragraph(linkTo(addressOf({ q }), "Back to the first results")) : null,
    next === null ? null : paragraph(linkTo(addressOf({ q, after: next }), "More results"))
  )

const addressOf = (query: Readonly<Record<string, string>>): `/workspace/${string}` =>
  `${specificationsPath}?${new URLSearchParams(query)}`

export const specificationPages = Layer.mergeAll(search, specificationVersion, specificationDraft)
