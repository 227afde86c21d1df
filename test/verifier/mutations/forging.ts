/** Forgeries by the issuer: one object is edited before it is hashed and signed, and all derived values fit it. */
import type { Choices } from "./choices.ts"
import { editValue } from "./json-edits.ts"

/** Forges one object of a sample; `placesOf` has its hooks, each with the number of its calls. */
export const forge = <Sample>(
  make: (forgery: { readonly [hook: string]: (value: unknown) => unknown }) => Sample,
  placesOf: Readonly<Record<string, number>>,
  choices: Choices
): Sample => {
  for (;;) {
    const hook = choices.oneOf(Object.keys(placesOf))
    const place = choices.below(8) % placesOf[hook]!
    let calls = 0
    try {
      return make({ [hook]: (value) => (calls++ === place ? plausible(value, choices) : undefined) })
    } catch {
      // The sample's issuer cannot process this value.
    }
  }
}

/** The sample's issuer can process only an edited value of the same outermost type. */
const plausible = (value: unknown, choices: Choices): unknown => {
  const edited = editValue(value, choices)
  return Array.isArray(edited) === Array.isArray(value) && typeof edited === "object" ? edited : undefined
}
