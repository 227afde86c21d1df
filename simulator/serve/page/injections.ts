/** Faults as steps that stand alone, made from how the catalogue writes them. */
import { parse } from "yaml"
import { asJson, isObject, type JsonObject } from "../../script/json.ts"

/** What strikes a request strikes the next one of whomever `of` names, which is left open here. */
export const stepThatInjects = (written: string): JsonObject => {
  const step: unknown = parse(written)
  if (typeof step !== "object" || step === null) throw new Error(`${written} is no step`)
  const { inject, ...rest } = asJson(step as object)
  if (inject === "lost-request") return { inject: { of: "", lost: "request" } }
  if (inject === "lost-answer") return { inject: { of: "", lost: "answer" } }
  return isObject(inject) ? { inject: { of: "", ...inject } } : rest
}
