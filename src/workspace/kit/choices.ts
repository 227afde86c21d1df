/** Radio buttons and checkboxes: each group has a legend, each input its own label. */
import { h } from "preact"
import { descriptions, describedBy, idOf, problemsOf, type Choice, type FormState } from "./fields.ts"
import type { Content, Element } from "./html.ts"

export interface GroupOptions {
  readonly name: string
  readonly legend: Content
  readonly hint?: Content
  readonly choices: ReadonlyArray<Choice>
  /** The initial selection; a consent has none. */
  readonly chosen?: ReadonlyArray<string>
}

/** Selects exactly one value. */
export const radioGroup = (state: FormState, options: GroupOptions): Element => group("radio", state, options)

/** Selects any number of values. */
export const checkboxGroup = (state: FormState, options: GroupOptions): Element => group("checkbox", state, options)

export interface CheckboxOptions {
  readonly name: string
  readonly label: Content
  readonly hint?: Content
  readonly isTicked?: boolean
}

/** A single checkbox; its value is `on` when it is ticked. */
export const checkbox = (state: FormState, { name, label, hint, isTicked = false }: CheckboxOptions): Element =>
  h(
    "div",
    { class: problemsOf(state, name).length === 0 ? "field" : "field with-problem" },
    descriptions(state, { name }),
    box(
      "checkbox",
      name,
      idOf(name),
      { value: "on", label, hint },
      {
        checked: state.sent === undefined ? isTicked : isSelected(state, name, "on"),
        "aria-describedby": describedBy(state, { name }),
        "aria-invalid": problemsOf(state, name).length === 0 ? undefined : ("true" as const)
      }
    )
  )

const group = (type: "radio" | "checkbox", state: FormState, options: GroupOptions): Element =>
  h(
    "fieldset",
    {
      class: problemsOf(state, options.name).length === 0 ? "field" : "field with-problem",
      "aria-describedby": describedBy(state, options)
    },
    h("legend", null, options.legend),
    descriptions(state, options),
    options.choices.map((choice, index) =>
      // The first input has the field's id, which is the target of the error summary's link.
      box(type, options.name, index === 0 ? idOf(options.name) : `${idOf(options.name)}-${index + 1}`, choice, {
        checked:
          state.sent === undefined
            ? (options.chosen ?? []).includes(choice.value)
            : isSelected(state, options.name, choice.value),
        // The link skips the legend: the first input repeats the problem for screen readers.
        ...(index === 0 && problemsOf(state, options.name).length > 0
          ? { "aria-invalid": "true" as const, "aria-describedby": describedBy(state, { name: options.name }) }
          : {})
      })
    )
  )

interface BoxState {
  readonly checked: boolean
  readonly "aria-describedby"?: string | undefined
  readonly "aria-invalid"?: "true" | undefined
}

const box = (type: "radio" | "checkbox", name: string, id: string, choice: Choice, state: BoxState): Element => {
  const hintId = choice.hint === undefined ? undefined : `${id}-about`
  const described = [state["aria-describedby"], hintId].filter((one) => one !== undefined).join(" ")
  return h(
    "div",
    { class: "choice" },
    h("input", {
      type,
      name,
      id,
      value: choice.value,
      ...state,
      "aria-describedby": described === "" ? undefined : described
    }),
    h("label", { for: id }, choice.label),
    choice.hint === undefined ? null : h("div", { class: "hint", id: hintId }, choice.hint)
  )
}

const isSelected = ({ sent }: FormState, name: string, value: string): boolean => {
  const submitted = sent?.[name]
  return submitted === value || (typeof submitted === "object" && submitted.includes(value))
}
