/** The commands that only read: one page of a list, or all details of one item. They leave no row. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { Listing, PageRequest } from "../../ports/storage/page.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { json, page } from "./flags.ts"
import { runReadCommand, type Ports } from "./session.ts"
import { fieldsText, jsonText, tableText, type Columns } from "./text.ts"

export interface ListDefinition<Input, Item> {
  readonly description: string
  readonly read: (input: Input, page: PageRequest<string>) => Effect.Effect<Listing<Item>, Refusal, Ports>
  /** The cell of each column; declared after `read`, from which the compiler infers the item's type. */
  readonly columns: Columns<Item>
}

/** A list; `kind` is the command's name, and the member of the JSON document that contains the items. */
export const listCommand = <const Name extends string, const Filters extends Command.Command.Config, Item>(
  kind: Name,
  filters: Filters,
  { description, columns, read }: ListDefinition<Command.Command.Config.InferValue<Filters>, Item>
) =>
  Command.make(kind, { input: filters, page, json }, (flags) => {
    const { limit, after } = flags.page as { readonly limit: number; readonly after: Option.Option<string> }
    const operation = Effect.flatMap(pageFrom(limit, Option.getOrUndefined(after)), (pageRequest) =>
      read(flags.input as Command.Command.Config.InferValue<Filters>, pageRequest)
    )
    return runReadCommand(operation, ({ items, next }) => {
      if (flags.json === true) return jsonText({ [kind]: items, next })
      const more = next === null ? "" : `\n\nThere are more: --after=${next}`
      return tableText(columns, items) + more
    })
  }).pipe(Command.withDescription(description))

const pageFrom = (limit: number, after: string | undefined): Effect.Effect<PageRequest<string>, Refusal> => {
  if (limit < 1 || limit > limits.administrationPageMost) {
    return refuse("INVALID_REQUEST", { detail: `--limit is a number from 1 to ${limits.administrationPageMost}.` })
  }
  return after === undefined || /^[!-~]{1,200}$/.test(after)
    ? Effect.succeed({ limit, after })
    : refuse("INVALID_REQUEST", { detail: "--after is not a cursor; use the next of an earlier page." })
}

/** All details of one item, by its id. */
export const showCommand = <const Name extends string, Item extends object>(
  kind: Name,
  read: (id: string) => Effect.Effect<Item, Refusal, Ports>
) =>
  Command.make(
    kind,
    { id: Argument.String("id").pipe(Argument.withDescription("Its id, as `admin list` shows it")), json },
    ({ id, json }) => runReadCommand(read(id), json ? jsonText : fieldsText)
  ).pipe(Command.withDescription(`Show one by its id`))

/** The id of the one filter that was set, as the operations name it; several are refused, since each uses an index of its own. */
export const oneFilter = <const Filters extends Readonly<Record<string, Option.Option<string>>>>(filters: Filters) => {
  const flags = Object.entries(filters).flatMap(([name, id]) => (Option.isSome(id) ? [[`${name}Id`, id.value]] : []))
  const names = Object.keys(filters).map((name) => `--${name}`)
  return flags.length > 1
    ? refuse("INVALID_REQUEST", { detail: `Give one filter of ${names.join(", ")}.` })
    : Effect.succeed(Object.fromEntries(flags) as { readonly [Name in keyof Filters & string as `${Name}Id`]?: string })
}
