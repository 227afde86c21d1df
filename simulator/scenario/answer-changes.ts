/** Changes of answers on their way to an actor, as a version of the service that is newer than the actor makes them. */
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import type { Response } from "./read-answer.ts"

/** The answer with these members, by path, wherever it has the object that holds them. */
export const withMembers = (answer: Response, members: JsonObject): Response => {
  const { body } = answer
  if (!isObject(body)) return answer
  const changed = Object.entries(members).reduce((value, [path, member]) => withMember(value, path, member), body)
  return changed === body ? answer : { ...answer, body: changed, bytes: encoder.encode(JSON.stringify(changed)) }
}

const withMember = (value: JsonObject, path: string, member: Json): JsonObject => {
  const [key = "", ...rest] = path.split(".")
  if (rest.length === 0) return { ...value, [key]: member }
  const held = value[key]
  return isObject(held) ? { ...value, [key]: withMember(held, rest.join("."), member) } : value
}

const encoder = new TextEncoder()
