/** Converts the faults of the catalogue to steps of their own. */
import { parse } from "yaml"
import { asJson, isObject, type JsonObject } from "../../vocabulary/json.ts"

/** A request fault applies to the next request of the actor `of`, which is left empty here. */
export const injectionStep = (written: string): JsonObject => {
  const step: unknown = parse(written)
  if (typeof step !== "object" || step === null) throw new Error(`${written} is not a step`)
  const { inject, ...rest } = asJson(step as object)
  if (inject === "lost-request") return { inject: { of: "", lost: "request" } }
  if (inject === "lost-answer") return { inject: { of: "", lost: "answer" } }
  return isObject(inject) ? { inject: { of: "", ...inject } } : rest
}
