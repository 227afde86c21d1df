/**
 * Checks that a schema cannot express: every name is declared before its use, every operation exists and is allowed
 * to its actor, the keys of a step combine. Steps that do not decode are skipped: their problems are already reported.
 */
import { Result } from "effect"
import { checkGiven } from "./check-given.ts"
import { checkProperties } from "./check-properties.ts"
import { checkStep } from "./check-step.ts"
import type { PartForm } from "./scenario-form.ts"
import { CheckContext } from "./check-context.ts"
import { isMembers, itemsOf, type Members, membersOf } from "./untyped-members.ts"
import type { Parts } from "./parts.ts"
import type { ProblemPath, Problem } from "./problem.ts"

export class ScriptCheck {
  readonly #parts: Parts
  readonly #context = new CheckContext()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The problems of a whole script. */
  scenario(value: unknown): ReadonlyArray<Problem> {
    const script = membersOf(value)
    const steps = itemsOf(script["steps"])
    const used = new Set(steps.flatMap((step) => textOf(membersOf(step)["use"])))
    const givenByParts = [...used].flatMap((within) => {
      const part = this.#partCalled(within)
      return part === undefined ? [] : [{ within, given: membersOf(part.given) }]
    })
    checkGiven([{ within: undefined, given: membersOf(script["given"]) }, ...givenByParts], this.#context)
    for (const [index, step] of steps.entries()) this.#outerStep(step, ["steps", index])
    checkProperties(script, this.#context)
    return this.#context.takeProblems()
  }

  /** The problems of a `given` section. */
  given(value: unknown): ReadonlyArray<Problem> {
    checkGiven([{ within: undefined, given: membersOf(value) }], this.#context)
    return this.#context.takeProblems()
  }

  /** The problems of one more step. */
  step(value: unknown): ReadonlyArray<Problem> {
    checkStep(value, [], "loop", this.#context)
    return this.#context.takeProblems()
  }

  #partCalled(name: string): PartForm | undefined {
    const form = this.#parts.get(name)?.form
    return form === undefined || Result.isFailure(form) ? undefined : form.success
  }

  #outerStep(value: unknown, path: ProblemPath): void {
    const { use, for: loop, steps } = membersOf(value)
    if (use !== undefined) this.#use(membersOf(value), use, path)
    else if (loop !== undefined || steps !== undefined) this.#loop(membersOf(value), path)
    else checkStep(value, path, "outer", this.#context)
  }

  #use(value: Members, name: unknown, path: ProblemPath): void {
    const context = this.#context
    this.#alone(value, ["use"], path)
    if (typeof name !== "string" || name === "") return
    if (context.within !== undefined) return context.report([...path, "use"], "a part cannot use another part")
    if (this.#parts.get(name) === undefined)
      return context.report([...path, "use"], `file not found: ${name}, relative to this file`)
    const part = this.#partCalled(name)
    if (part === undefined) return
    context.within = name
    for (const [index, step] of part.steps.entries()) this.#outerStep(step, ["steps", index])
    context.within = undefined
  }

  /** The steps of a loop are checked once: they declare and use the same names in each iteration. */
  #loop(value: Members, path: ProblemPath): void {
    const context = this.#context
    this.#alone(value, ["for", "steps"], path)
    const { for: loop, steps } = value
    const names = Object.keys(membersOf(loop))
    if (loop === undefined)
      context.report([...path, "steps"], "for is missing: add the name and the values of the loop", "key")
    else if (isMembers(loop) && names.length !== 1)
      context.report([...path, "for"], "for has one name, with the list of its values")
    if (steps === undefined) context.report([...path, "for"], "steps is missing: add the steps of the loop", "key")
    for (const name of names) context.declare(name, [...path, "for", name], "key", "again")
    context.isInLoop = true
    for (const [index, step] of itemsOf(steps).entries()) checkStep(step, [...path, "steps", index], "loop", context)
    context.isInLoop = false
  }

  #alone(value: Members, kinds: ReadonlyArray<string>, path: ProblemPath): void {
    for (const key of Object.keys(value)) {
      if (kinds.includes(key) || key === "say") continue
      this.#context.report([...path, key], `${key} is not allowed with ${kinds[0]}`, "key")
    }
  }
}

const textOf = (value: unknown): ReadonlyArray<string> => (typeof value === "string" && value !== "" ? [value] : [])
