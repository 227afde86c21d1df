/** The secrets in an answer, and how a trace calls them. */
import { tokenPrefixes, type TokenKind } from "../src/vocabulary/token.ts"
import { isObject, type Json } from "./script/json.ts"

export interface Secret {
  readonly secret: string
  readonly kind: string
}

/** Everything that opens something: tokens wherever they stand, and the code that a person types. */
export const secretsIn = (answer: Json): ReadonlyArray<Secret> => {
  const userCode = isObject(answer) ? answer["userCode"] : undefined
  const text = JSON.stringify(answer)
  return [
    ...(anyForm.test(text)
      ? kinds.flatMap(({ form, kind }) => [...text.matchAll(form)].map(([secret]) => ({ secret, kind })))
      : []),
    ...(typeof userCode === "string" ? [{ secret: userCode, kind: "user code" }] : [])
  ]
}

const words: { readonly [K in TokenKind]: string } = {
  agent: "token",
  participation: "assistant token",
  device: "device code",
  session: "session",
  invitation: "invitation code",
  callback: "callback secret"
}

const kinds = Object.entries(words).map(([kind, word]) => ({
  form: new RegExp(`${tokenPrefixes[kind as TokenKind]}[0-9A-Za-z]{49}`, "g"),
  kind: word
}))

// Few answers hold a secret: one look tells.
const anyForm = new RegExp(kinds.map(({ form }) => form.source).join("|"))
