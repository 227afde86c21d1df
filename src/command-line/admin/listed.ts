/** How commands that only read are made: one page of a list, or everything about one. They leave no row. */
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { Listing, PageOf } from "../../ports/page.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse, type Refused } from "../../vocabulary/refusals.ts"
import { json, page } from "./flags.ts"
import { runCommand, type Ports } from "./session.ts"
import { fieldsText, jsonText, tableText, type Columns } from "./text.ts"

export interface Listed<Input, Item> {
  readonly description: string
  readonly read: (input: Input, page: PageOf<string>) => Effect.Effect<Listing<Item>, Refused, Ports>
  /** What the columns show of an item; they come after `read`, from which the compiler knows what an item is. */
  readonly columns: Columns<Item>
}

/** A list; `kind` is the command's name, and the member of the JSON document that holds the items. */
export const listCommand = <const Name extends string, const Filters extends Command.Command.Config, Item>(
  kind: Name,
  filters: Filters,
  { description, columns, read }: Listed<Command.Command.Config.InferValue<Filters>, Item>
) =>
  Command.make(kind, { input: filters, page, json }, (given) => {
    const { limit, after } = given.page as { readonly limit: number; readonly after: Option.Option<string> }
    const operation = Effect.flatMap(pageFrom(limit, Option.getOrUndefined(after)), (wanted) =>
      read(given.input as Command.Command.Config.InferValue<Filters>, wanted)
    )
    return runCommand(operation, ({ items, next }) => {
      if (given.json === true) return jsonText({ [kind]: items, next })
      const more = next === null ? "" : `\n\nThere are more: --after ${next}`
      return tableText(columns, items) + more
    })
  }).pipe(Command.withDescription(description))

const pageFrom = (limit: number, after: string | undefined): Effect.Effect<PageOf<string>, Refused> => {
  if (limit < 1 || limit > limits.administrationPageMost) {
    return refuse("INVALID_REQUEST", { detail: `--limit is a number from 1 to ${limits.administrationPageMost}.` })
  }
  return after === undefined || /^[!-~]{1,200}$/.test(after)
    ? Effect.succeed({ limit, after })
    : refuse("INVALID_REQUEST", { detail: "--after is what an earlier page named as its next." })
}

/** Everything about one, by its id. */
export const showCommand = <const Name extends string, Item extends object>(
  kind: Name,
  read: (id: string) => Effect.Effect<Item, Refused, Ports>
) =>
  Command.make(
    kind,
    { id: Argument.String("id").pipe(Argument.withDescription("Its id, as `admin list` shows it")), json },
    ({ id, json }) => runCommand(read(id), json ? jsonText : fieldsText)
  ).pipe(Command.withDescription(`Show one by its id`))

/** The filters that were given; refused where they are more than one, since each is an index of its own. */
export const oneFilter = <const Filters extends Readonly<Record<string, Option.Option<string>>>>(filters: Filters) => {
  const given = Object.entries(filters).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  const names = Object.keys(filters).map((name) => `--${name}`)
  return given.length > 1
    ? refuse("INVALID_REQUEST", { detail: `Give one filter of ${names.join(", ")}.` })
    : Effect.succeed(Object.fromEntries(given) as { readonly [Name in keyof Filters]?: OptionValue<Filters[Name]> })
}

type OptionValue<O> = O extends Option.Option<infer Value> ? Value : never
