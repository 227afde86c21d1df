/** The secrets in a response and their labels in a trace. */
import { tokenPrefixes, type TokenKind } from "../../src/vocabulary/token.ts"
import { isObject, type Json } from "../vocabulary/json.ts"

export interface Secret {
  readonly secret: string
  readonly kind: string
}

/** All credentials in a response: tokens at any place, and the user code. */
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

/** True if a value holds the bearer token of an agent, as it was issued or as a recording shows it. */
export const hasAgentToken = (value: Json): boolean => agentToken.test(JSON.stringify(value))

const agentToken = new RegExp(`${tokenPrefixes.agent}[0-9A-Za-z]{49}|\\{token of [^{}]+\\}`)

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

// Few responses contain a secret: one test finds out.
const anyForm = new RegExp(kinds.map(({ form }) => form.source).join("|"))
