/** The controls of the terms' fields: how a value is entered, decoded and shown. */
import { h } from "preact"
import { Effect, Schema } from "effect"
import { valueAt } from "../../projects/terms.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { radioGroup } from "../kit/choices.ts"
import { idOf, textArea, textField, type FormState, type TextFieldOptions } from "../kit/fields.ts"
import { oneOf, optionalLine, optionalLines } from "../kit/form-values.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { list, time } from "../kit/parts.ts"
import { instantFrom, textFromInstant } from "../kit/time-input.ts"
import { fieldNamed, type Field, type FieldName } from "./fields.ts"

type TextSchema = ReturnType<typeof optionalLine>

interface InputOptions extends TextFieldOptions {
  readonly rows?: number
}

/** How values of a type are entered and shown. */
interface Control<A> {
  /** The texts that can be entered, possibly empty; `what` begins a sentence. */
  schema(what: string): TextSchema
  input(state: FormState, options: InputOptions): Element
  show(value: A): Content
  /** The value of an entered text, undefined for none, and its inverse. */
  read(text: string): A | undefined
  write(value: A): string
}

const nonEmpty = (text: string): string | undefined => (text === "" ? undefined : text)
const ofText = { read: nonEmpty, write: String }

const isDate = Schema.makeFilter((given: string) => given === "" || instantFrom(given) !== undefined, {
  message: "A date and time look like 2026-11-21 09:30."
})

const recipientsCharacters = limits.sharingRecipients * (limits.titleCharacters + 1)

export const titleField = (state: FormState, options: TextFieldOptions): Element =>
  textField(state, { maxLength: limits.titleCharacters, ...options })

export const shortTextArea = (state: FormState, options: Omit<InputOptions, "maxLength">): Element =>
  textArea(state, { rows: 2, maxLength: limits.textCharacters, ...options })

const controls: { readonly [C in "name" | "text" | "longText" | "personId"]: Control<string> } & {
  readonly date: Control<Instant>
  readonly list: Control<ReadonlyArray<string>>
} = {
  name: {
    ...ofText,
    schema: (what) => optionalLine(what, limits.titleCharacters),
    input: titleField,
    show: untrusted
  },
  text: {
    ...ofText,
    schema: (what) => optionalLines(what, limits.textCharacters),
    input: shortTextArea,
    show: untrustedLines
  },
  longText: {
    ...ofText,
    schema: (what) => optionalLines(what, limits.scopeCharacters),
    input: (state, options) => textArea(state, { rows: 5, maxLength: limits.scopeCharacters, ...options }),
    show: untrustedLines
  },
  personId: {
    ...ofText,
    schema: (what) => optionalLine(what, limits.titleCharacters),
    input: (state, options) => titleField(state, { ...options, autoCapitalize: "none" }),
    show: (id) => h("code", null, id)
  },
  date: {
    schema: (what) => optionalLine(what, limits.titleCharacters).check(isDate),
    input: (state, options) =>
      textField(withValidDate(state, options.name), {
        ...options,
        type: "datetime-local",
        hint: dateHint(options),
        size: "short"
      }),
    show: time,
    read: instantFrom,
    write: textFromInstant
  },
  list: {
    schema: (what) => optionalLines(what, recipientsCharacters),
    input: (state, options) => textArea(state, { rows: 3, maxLength: recipientsCharacters, ...options }),
    show: (items) => (items.length === 0 ? "none" : list(items.map(untrusted))),
    read: linesIn,
    write: (items) => items.join("\n")
  }
}

/** A browser shows an entered date only in the format of its control; other texts are shown as they are. */
const withValidDate = (state: FormState, name: string): FormState => {
  const entered = state.sent?.[name]
  const instant = typeof entered === "string" ? instantFrom(entered.trim()) : undefined
  return instant === undefined ? state : { ...state, sent: { ...state.sent, [name]: textFromInstant(instant) } }
}

/** The date is in UTC; a script of the page can show it in the zone of the browser, beside the hint. */
const dateHint = ({ name, hint }: InputOptions): Content => [
  hint === undefined ? null : [hint, " "],
  "In UTC.",
  h("span", { "data-enhance": "local-time", "data-field": idOf(name) })
]

/** The lines of a text that are not blank. */
export function linesIn(text: string): ReadonlyArray<string> {
  return text
    .split("\n")
    .map((one) => one.trim())
    .filter((one) => one !== "")
}

/** The control of a field; values of a choice are entered by radio buttons, and are texts otherwise. */
const controlOf = ({ control }: Field): Control<unknown> => controls[control === "choice" ? "name" : control]

/** The control of a field; `changes` replaces its options. */
export const fieldInput = (state: FormState, name: FieldName, changes: Partial<InputOptions> = {}): Element => {
  const field = fieldNamed(name)
  const { label, choices } = field
  return choices === undefined
    ? controlOf(field).input(state, { ...field, name, ...changes })
    : radioGroup(state, { name, legend: label, chosen: [choices[0]!.value], choices })
}

/** The schema of a field, whose value is needed or may be missing as in a draft. */
export const fieldSchema = (field: Field, isNeeded: boolean) => {
  const { noun, choices, isOptional } = field
  if (choices !== undefined) {
    const values = choices.map(({ value }) => value)
    return isNeeded ? oneOf(noun, values) : Schema.optionalKey(oneOf(noun, values))
  }
  const what = noun.charAt(0).toUpperCase() + noun.slice(1)
  const text = controlOf(field).schema(what)
  return isNeeded && !isOptional ? text.check(Schema.isMinLength(1, { message: `${what} is needed.` })) : orEmpty(text)
}

/** A field that the form may omit. */
export const orEmpty = (schema: TextSchema) => schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))

/** The value of an entered text; undefined for none. */
export const valueOf = (field: Field, text: string): unknown => controlOf(field).read(text)

/** The text of a value, as it is entered. */
export const textOf = (field: Field, value: unknown): string =>
  value === undefined ? "" : controlOf(field).write(value)

/** The fields that have a value, each under its term. */
export const fieldFacts = (shown: ReadonlyArray<Field>, terms: Parameters<typeof valueAt>[0]): ReadonlyArray<Fact> =>
  shown.flatMap((field): ReadonlyArray<Fact> => {
    const value = valueAt(terms, field.path)
    if (value === undefined) return []
    const choice = field.choices?.find((one) => one.value === value)
    return [[field.term ?? field.label, choice === undefined ? controlOf(field).show(value) : choice.shown]]
  })

type Fact = readonly [term: string, detail: Content]
