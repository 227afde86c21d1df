/**
 * The list of one kind of item: its form with search and filters, a line for each item, and the links between pages. On
 * a narrow screen the style sheet shows each line as a card, from the same HTML.
 */
import { Effect } from "effect"
import { h } from "preact"
import type { NewestPage } from "../../ports/storage/newest-page.ts"
import { queryForm, select, textField } from "./fields.ts"
import type { Content, Element } from "./html.ts"
import { addressOfPage, readListQuery, searchName, type ListForm, type ListQuery } from "./list-query.ts"
import { page, type PageOptions } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import { pageResponse } from "./response.ts"

export interface List<Item> extends ListForm {
  readonly caption: string
  /** The first column names the item. */
  readonly columns: ReadonlyArray<ListColumn<Item>>
  /** Shown where the person has no such item at all. */
  readonly empty: Content
}

export interface ListColumn<Item> {
  readonly heading: string
  readonly cell: (item: Item) => Content
}

export interface ListPage<Item, E, R> extends Pick<PageOptions, "title" | "viewer" | "place"> {
  readonly list: List<Item>
  /** Reads the page of the query, which has no problem then. */
  readonly read: (query: ListQuery) => Effect.Effect<NewestPage<Item>, E, R>
  readonly before?: Content
  readonly after?: Content
}

/** A page that shows one list. With values in its address that the list does not know, it shows its form alone. */
export const listPage = Effect.fnUntraced(function* <Item, E, R>({
  list,
  read,
  before,
  after,
  ...frame
}: ListPage<Item, E, R>) {
  const query = yield* readListQuery(list)
  const { problems } = query.state
  if (problems.length > 0) {
    return pageResponse(page({ ...frame, problems }, before, filterForm(list, query), after), 400)
  }
  return pageResponse(page(frame, before, yield* showList(list, query, yield* read(query)), after))
})

/** The form, the lines and the links to the other pages. An empty page says whether a filter is the reason. */
const showList = Effect.fnUntraced(function* <Item>(
  list: List<Item>,
  query: ListQuery,
  { items, older, newer }: NewestPage<Item>
) {
  const first = yield* addressOfPage(list, query)
  const links = [
    newer === null ? null : linkTo(first, "Newest"),
    newer === null
      ? null
      : linkTo(yield* addressOfPage(list, query, { parameter: "before", position: newer }), "Newer"),
    older === null ? null : linkTo(yield* addressOfPage(list, query, { parameter: "after", position: older }), "Older")
  ].filter((link) => link !== null)
  return [
    filterForm(list, query),
    items.length > 0 ? lines(list, items) : older !== null ? hiddenItems : emptyText(list, query, newer !== null),
    links.length === 0
      ? null
      : h(
          "nav",
          { class: "pages", "aria-label": `Pages: ${list.caption}` },
          h(
            "ul",
            null,
            links.map((link) => h("li", null, link))
          )
        )
  ] satisfies Content
})

/** The form alone, above the problems of its values. */
const filterForm = ({ path, filters = [], search }: ListForm, { state }: Pick<ListQuery, "state">): Content =>
  filters.length === 0 && search === undefined
    ? null
    : h(
        "div",
        { class: "filters" },
        queryForm(
          { action: path, submitLabel: "Show", role: "search" },
          search === undefined ? null : textField(state, { ...search, name: searchName, isOptional: true }),
          filters.map(({ name, label, choices }) =>
            select(state, {
              name,
              label,
              isOptional: true,
              choices: [{ value: "", label: "All" }, ...choices]
            })
          )
        ),
        state.sent === undefined ? null : paragraph(linkTo(path, "Show all"))
      )

/** Rows of this page are not shown to the person, or do not match; the next pages can have others. */
const hiddenItems = h("p", { class: "empty" }, "Nothing on this page is shown to you. Open the older ones.")

const emptyText = ({ path, empty }: List<never>, { state }: ListQuery, isLaterPage: boolean): Element => {
  if (isLaterPage) return h("p", { class: "empty" }, "There is nothing older. ", linkTo(path, "Show the newest"))
  return h(
    "p",
    { class: "empty" },
    state.sent === undefined ? empty : "Nothing matches. Change the filters, or show all."
  )
}

/** The lines of items without a form and pages, of which there is one at least. */
// The roles are stated, since a browser drops those of a table whose parts the style sheet shows as blocks.
export const lines = <Item>(
  { caption, columns }: Pick<List<Item>, "caption" | "columns">,
  items: ReadonlyArray<Item>
): Element =>
  h(
    "table",
    { class: "list", role: "table" },
    h("caption", null, caption),
    h(
      "thead",
      { role: "rowgroup" },
      h(
        "tr",
        { role: "row" },
        columns.map(({ heading }) => h("th", { scope: "col", role: "columnheader" }, heading))
      )
    ),
    h(
      "tbody",
      { role: "rowgroup" },
      items.map((item) =>
        h(
          "tr",
          { role: "row" },
          columns.map(({ heading, cell }, at) =>
            at === 0
              ? h("th", { scope: "row", role: "rowheader" }, cell(item))
              : h("td", { role: "cell", "data-heading": heading }, cell(item))
          )
        )
      )
    )
  )
