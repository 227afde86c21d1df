/**
 * The query of a list: its search text, its filters and the page. All of it is in the address, so that a list as it is
 * filtered can be kept as a bookmark. Values that the list does not know are problems of its form.
 */
import { Effect } from "effect"
import type { ListPosition } from "../../ports/storage/newest-page.ts"
import { Secrets } from "../../ports/secrets.ts"
import { isInstant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import type { Choice, FormState, Problem } from "./fields.ts"
import { readQueryParameters } from "./url-parameters.ts"

/** A choice among the values of one parameter; without one, the list is not filtered by it. */
export interface ListFilter {
  readonly name: string
  readonly label: string
  readonly choices: ReadonlyArray<Choice & { readonly label: string }>
}

export interface ListForm {
  /** Distinguishes the cursors of lists. */
  readonly name: string
  readonly path: `/workspace/${string}`
  readonly filters?: ReadonlyArray<ListFilter>
  /** What the search text is compared with, for people. */
  readonly search?: { readonly label: string; readonly hint: string }
}

export interface ListQuery {
  /** The parameters that narrow the list, as they are shown again. */
  readonly state: FormState
  readonly text: string | undefined
  /** A known value of the filter; undefined where the list is not filtered by it. */
  readonly valueOf: (filter: string) => string | undefined
  readonly turn: { readonly after?: ListPosition; readonly before?: ListPosition }
}

/** The parameter with the searched text. */
export const searchName = "q"

export const readListQuery = Effect.fnUntraced(function* (form: ListForm) {
  const parameter = yield* readQueryParameters
  const sent: Record<string, string> = {}
  const problems: Array<Problem> = []
  const text = form.search === undefined ? undefined : parameter(searchName)?.trim()
  if (text !== undefined && text !== "") {
    sent[searchName] = text
    if (text.length > limits.searchCharacters) {
      const message = `The search text has at most ${limits.searchCharacters} characters.`
      problems.push({ field: searchName, message })
    }
  }
  for (const { name, label, choices } of form.filters ?? []) {
    const value = parameter(name)
    if (value === undefined || value === "") continue
    if (choices.some((choice) => choice.value === value)) sent[name] = value
    else problems.push({ field: name, message: `Choose again: ${label.toLowerCase()}.` })
  }
  const turn = yield* readTurn(form, parameter)
  const isSent = Object.keys(sent).length > 0 || problems.length > 0
  return {
    state: { sent: isSent ? sent : undefined, problems },
    text: sent[searchName],
    valueOf: (filter) => sent[filter],
    turn
  } satisfies ListQuery
})

const readTurn = Effect.fnUntraced(function* ({ name }: ListForm, parameter: (name: string) => string | undefined) {
  const [after, before] = [parameter("after"), parameter("before")]
  if (after !== undefined) return { after: yield* openCursor(name, after) }
  return before === undefined ? {} : { before: yield* openCursor(name, before) }
})

const openCursor = Effect.fnUntraced(function* (list: string, cursor: string) {
  const secrets = yield* Secrets
  const [sealedFor = "", at = "", ...rest] = (secrets.open("CURSOR", cursor) ?? "").split(" ")
  if (sealedFor === `list:${list}` && isInstant(at)) return { at, id: rest.join(" ") } satisfies ListPosition
  const issues = [{ path: "after", message: "Open the list from its beginning: the address names no page of it." }]
  return yield* refuse("INVALID_REQUEST", { issues })
})

/** The addresses of the pages beside this one, which keep its filters. */
export const addressOfPage = Effect.fnUntraced(function* (
  { name, path }: ListForm,
  { state }: ListQuery,
  turn?: { readonly parameter: "after" | "before"; readonly position: ListPosition }
) {
  const secrets = yield* Secrets
  const query = new URLSearchParams(state.sent as Record<string, string> | undefined)
  if (turn !== undefined) {
    const { at, id } = turn.position
    query.set(turn.parameter, yield* secrets.seal("CURSOR", `list:${name} ${at} ${id}`))
  }
  return query.size === 0 ? path : (`${path}?${query}` as const)
})
