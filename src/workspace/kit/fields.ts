/** Form controls: each has a label, and each problem appears at its control and in the error summary. */
import { h } from "preact"
import type { Content, Element } from "./html.ts"

/** A validation problem of one field. */
export interface Problem {
  readonly field: string
  readonly message: string
}

/** A rule of a form, with the message at the field where it is corrected. */
export type Rule<Field extends string = string> = readonly [isBroken: boolean, field: Field, message: string]

export const brokenRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<Problem> =>
  rules.filter(([isBroken]) => isBroken).map(([, field, message]) => ({ field, message }))

/** The first problem of each field. */
export const firstOfEach = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  problems.filter(({ field }, index) => problems.findIndex((other) => other.field === field) === index)

/** The state of a form: empty at first, then the submitted values and their problems. */
export interface FormState {
  readonly sent: { readonly [field: string]: string | ReadonlyArray<string> } | undefined
  readonly problems: ReadonlyArray<Problem>
}

export const emptyForm: FormState = { sent: undefined, problems: [] }

export const formTokenName = "formToken"

export interface FormOptions {
  readonly action: string
  /** The CSRF token of the session; absent where no person is signed in. */
  readonly formToken?: string | undefined
  readonly submitLabel: string
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
  /** True for a form with a file. */
  readonly hasFile?: boolean
}

export const form = (options: FormOptions, ...children: ReadonlyArray<Content>): Element =>
  // `noValidate`: the browser's own validation would stop the form before the server can explain the problem.
  h(
    "form",
    {
      method: "post",
      action: options.action,
      class: "fields",
      noValidate: true,
      enctype: options.hasFile === true ? "multipart/form-data" : undefined
    },
    options.formToken === undefined ? null : formTokenField(options.formToken),
    children,
    h(
      "p",
      { class: "submit" },
      h("button", { type: "submit", class: options.isDangerous ? "danger" : undefined }, options.submitLabel)
    )
  )

export interface QueryFormOptions {
  readonly action: string
  readonly submitLabel: string
  readonly role?: "search"
}

/** A form without effect: its values are not secret, and its result has a URL. */
export const queryForm = (options: QueryFormOptions, ...children: ReadonlyArray<Content>): Element =>
  h(
    "form",
    { method: "get", action: options.action, class: "fields", role: options.role, noValidate: true },
    children,
    h("p", { class: "submit" }, h("button", { type: "submit" }, options.submitLabel))
  )

export const formTokenField = (token: string): Element => hidden(formTokenName, token)

export const hidden = (name: string, value: string): Element => h("input", { type: "hidden", name, value })

export interface FieldOptions {
  readonly name: string
  readonly label: string
  /** Explains the field before the person fills it in. */
  readonly hint?: Content
  /** Marks the field as optional beside its label. */
  readonly isOptional?: boolean
  /** The initial value. */
  readonly value?: string
}

export interface TextFieldOptions extends FieldOptions {
  readonly type?: "text" | "password" | "date" | "datetime-local" | "email"
  readonly autocomplete?: string
  readonly maxLength?: number
  readonly inputMode?: "text" | "numeric" | "decimal"
  readonly autoCapitalize?: "characters" | "none"
  readonly size?: "short" | "code"
}

export const textField = (state: FormState, options: TextFieldOptions): Element =>
  field(
    state,
    options,
    h("input", {
      ...controlOf(state, options),
      type: options.type ?? "text",
      class: options.size,
      // A password is never echoed.
      value: options.type === "password" ? undefined : currentValue(state, options),
      autocomplete: options.autocomplete ?? "off",
      autocapitalize: options.autoCapitalize,
      spellcheck: options.size === "code" ? "false" : undefined,
      inputmode: options.inputMode,
      maxLength: options.maxLength
    })
  )

export interface FileFieldOptions extends FieldOptions {
  /** The kinds of files that the browser offers, as extensions and media types. */
  readonly accept: string
}

/** A file to choose; after a problem it is chosen again, since a browser never sends one by itself. */
export const fileField = (state: FormState, options: FileFieldOptions): Element =>
  field(state, options, h("input", { ...controlOf(state, options), type: "file", accept: options.accept }))

export interface TextAreaOptions extends FieldOptions {
  readonly rows?: number
  readonly maxLength?: number
}

export const textArea = (state: FormState, options: TextAreaOptions): Element =>
  field(
    state,
    options,
    // HTML drops the first line break after the tag, so one is added to keep that of the text.
    h(
      "textarea",
      { ...controlOf(state, options), rows: options.rows ?? 5, maxLength: options.maxLength },
      `\n${currentValue(state, options) ?? ""}`
    )
  )

export interface Choice {
  readonly value: string
  readonly label: Content
  readonly hint?: Content
}

export const select = (
  state: FormState,
  options: FieldOptions & { readonly choices: ReadonlyArray<Choice> }
): Element => {
  const value = currentValue(state, options)
  return field(
    state,
    options,
    h(
      "select",
      controlOf(state, options),
      options.choices.map((choice) =>
        h("option", { value: choice.value, selected: choice.value === value }, choice.label)
      )
    )
  )
}

/** Lists all problems, each linked to its control; without a link where the page does not show that control. */
export const errorSummary = (
  problems: ReadonlyArray<Problem>,
  isShown: (controlId: string) => boolean,
  title = "This could not be sent"
): Element | null =>
  problems.length === 0
    ? null
    : // `autoFocus` moves the focus here after a submission, which also works without script.
      h(
        "section",
        { class: "problems", role: "alert", "aria-labelledby": "problems", tabIndex: -1, autoFocus: true },
        h("h2", { id: "problems" }, title),
        h(
          "ul",
          null,
          problems.map(({ field, message }) =>
            h("li", null, isShown(idOf(field)) ? h("a", { href: `#${idOf(field)}` }, message) : message)
          )
        )
      )

export const idOf = (name: string): string => `field-${name}`

export const problemsOf = ({ problems }: FormState, name: string): ReadonlyArray<string> =>
  problems.filter(({ field }) => field === name).map(({ message }) => message)

/** The ids of the elements that describe a control: its hint and its problem. */
export const describedBy = (state: FormState, { name, hint }: { readonly name: string; readonly hint?: Content }) => {
  const ids = [
    ...(hint === undefined ? [] : [`${idOf(name)}-hint`]),
    ...(problemsOf(state, name).length === 0 ? [] : [`${idOf(name)}-problem`])
  ]
  return ids.length === 0 ? undefined : ids.join(" ")
}

/** The hint and the problem, rendered between the label and the control. */
export const descriptions = (state: FormState, { name, hint }: { readonly name: string; readonly hint?: Content }) => {
  const problems = problemsOf(state, name)
  return [
    hint === undefined ? null : h("div", { class: "hint", id: `${idOf(name)}-hint` }, hint),
    problems.length === 0
      ? null
      : h(
          "p",
          { class: "problem", id: `${idOf(name)}-problem` },
          h("span", { class: "read-only" }, "Problem: "),
          problems.join(" ")
        )
  ]
}

const field = (state: FormState, options: FieldOptions, control: Element): Element =>
  h(
    "div",
    { class: problemsOf(state, options.name).length === 0 ? "field" : "field with-problem" },
    h(
      "label",
      { for: idOf(options.name) },
      options.label,
      options.isOptional === true ? h("span", { class: "optional" }, " (optional)") : null
    ),
    descriptions(state, options),
    control
  )

const controlOf = (state: FormState, options: FieldOptions) => ({
  id: idOf(options.name),
  name: options.name,
  required: options.isOptional !== true,
  "aria-describedby": describedBy(state, options),
  "aria-invalid": problemsOf(state, options.name).length === 0 ? undefined : ("true" as const)
})

const currentValue = (state: FormState, { name, value }: FieldOptions): string | undefined => {
  const sent = state.sent?.[name]
  return sent === undefined ? (state.sent === undefined ? value : undefined) : typeof sent === "string" ? sent : sent[0]
}
