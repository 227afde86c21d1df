/** Fields of a form: each is a control that asks for a value, together with the schema that reads it. */
import { Record, Schema, type Effect, type Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { checkbox, radioGroup, type GroupOptions } from "./choices.ts"
import { hidden, textArea, textField, type FormState, type TextAreaOptions, type TextFieldOptions } from "./fields.ts"
import { decodeForm, type FormSubmission } from "./form.ts"
import { lines, oneOf, optionalLines, requiredCheckbox, line, optionalLine, optionalDay } from "./form-values.ts"
import type { Content } from "./html.ts"
import { submittedTexts } from "./submitted-texts.ts"
import type { Fields } from "./urlencoded.ts"

type FieldSchema = Schema.ConstraintDecoder<unknown>

export interface FormField<S extends FieldSchema = FieldSchema> {
  /** The label of a text, which is shown again where its form had no effect. */
  readonly label?: string
  readonly schema: S
  readonly control: (state: FormState, name: string) => Content
}

/** The fields of one form by name; problems are reported in this order. */
export type FormFields = { readonly [name: string]: FormField }

/** The rendered controls of a form. */
export type Controls<F extends FormFields> = { readonly [N in keyof F]: Content }

/** The decoded values of a form. */
export type FormValues<F extends FormFields> = Schema.Struct.Type<{ readonly [N in keyof F]: F[N]["schema"] }>

export const controlsOf = <F extends FormFields>(fields: F, state: FormState): Controls<F> =>
  Record.map(fields, ({ control }, name) => control(state, name)) as Controls<F>

/** The decoded values, or the state with which the page shows its form again. */
export const decodeFields = <F extends FormFields>(
  fields: F,
  form: FormSubmission
): Effect.Effect<Result.Result<FormValues<F>, FormState>, Refusal> =>
  decodeForm(
    Schema.Struct(Record.map(fields, ({ schema }) => schema) as { readonly [N in keyof F]: F[N]["schema"] }),
    form
  )

/** The texts of a form that had no effect, for the person to copy. */
export const enteredTexts = (fields: FormFields, sent: Fields): Content =>
  submittedTexts(sent, (name) => fields[name]?.label)

interface LineOptions extends Omit<TextFieldOptions, "name" | "maxLength"> {
  /** The subject of the sentences about problems. */
  readonly what: string
  readonly characters: number
}

/** A text of one line. */
export const lineField = ({ what, characters, ...options }: LineOptions) => ({
  label: options.label,
  schema: (options.isOptional === true ? optionalLine : line)(what, characters),
  control: (state: FormState, name: string): Content => textField(state, { ...options, name, maxLength: characters })
})

/** A day, of which the last instant counts; undefined where it is empty. */
export const optionalDayField = ({
  what,
  ...options
}: Omit<TextFieldOptions, "name" | "type" | "size" | "isOptional"> & { readonly what: string }) => ({
  schema: optionalDay(what),
  control: (state: FormState, name: string): Content =>
    textField(state, { ...options, name, type: "date", size: "short", isOptional: true })
})

interface LinesOptions extends Omit<TextAreaOptions, "name" | "maxLength"> {
  /** The subject of the sentences about problems. */
  readonly what: string
  readonly characters: number
}

/** A text of several lines. */
export const linesField = ({ what, characters, ...options }: LinesOptions) => ({
  label: options.label,
  schema: (options.isOptional === true ? optionalLines : lines)(what, characters),
  control: (state: FormState, name: string): Content => textArea(state, { ...options, name, maxLength: characters })
})

interface ChoiceOptions<Value extends string> extends Omit<GroupOptions, "name"> {
  readonly what: string
  /** All readable values; `choices` can offer fewer. */
  readonly values: ReadonlyArray<Value>
}

/** Radio buttons, of which exactly one is selected. */
export const choiceField = <const Value extends string>({ what, values, ...options }: ChoiceOptions<Value>) => ({
  schema: oneOf(what, values),
  control: (state: FormState, name: string): Content => radioGroup(state, { ...options, name })
})

/** A checkbox that must be ticked; `message` asks for it. */
export const requiredField = (label: string, message: string) => ({
  schema: requiredCheckbox(message),
  control: (state: FormState, name: string): Content => checkbox(state, { name, label })
})

/** A value that the page passes to its own form; absent where the page has none. */
export const hiddenField = (value: string | undefined) => ({
  schema: Schema.optionalKey(Schema.String),
  control: (_: FormState, name: string): Content => (value === undefined ? null : hidden(name, value))
})
