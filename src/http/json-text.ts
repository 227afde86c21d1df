/** JSON texts of answers that are written as they are, without a second walk by their schema. */
import { HttpServerResponse } from "effect/http"

/** The JSON text of an object, one of whose members has a text already: that of `JSON.stringify`, in the same order. */
export const withMemberText = (value: object, name: string, text: string): string => {
  const members = Object.entries(value)
  const at = members.findIndex(([member]) => member === name)
  const parts = [
    membersText(members.slice(0, at)),
    `${JSON.stringify(name)}:${text}`,
    membersText(members.slice(at + 1))
  ]
  return `{${parts.filter((part) => part !== "").join()}}`
}

const membersText = (members: ReadonlyArray<readonly [string, unknown]>): string =>
  JSON.stringify(Object.fromEntries(members)).slice(1, -1)

/** An answer with this JSON text. */
export const jsonAnswer = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })
