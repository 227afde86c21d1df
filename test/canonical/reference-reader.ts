/** A reference reader for strict JSON that shares no code with the reader under test. */
import { parseTree, visit } from "jsonc-parser"

/** The same profile from well-kept libraries: fatal UTF-8, jsonc-parser for names and syntax, JSON.parse for the rest. */
export const isAcceptedByLibraries = (bytes: Uint8Array): boolean => {
  try {
    const input = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    let isStrict = true
    const open: Array<Set<string>> = []
    const refuse = (): void => void (isStrict = false)
    const enter = (): void => {
      if (open.push(new Set()) > 32) refuse()
    }
    const checkText = (value: unknown): void => {
      if (typeof value === "string" && !value.isWellFormed()) refuse()
    }
    visit(
      input,
      {
        onError: refuse,
        onObjectBegin: enter,
        onObjectEnd: () => void open.pop(),
        onArrayBegin: enter,
        onArrayEnd: () => void open.pop(),
        onObjectProperty: (name) => {
          checkText(name)
          if (open.at(-1)?.has(name) === true) refuse()
          open.at(-1)?.add(name)
        },
        onLiteralValue: (value, offset, length) => {
          checkText(value)
          const lexeme = input.slice(offset, offset + length)
          if (typeof value === "number" && (lexeme !== String(value) || !Number.isSafeInteger(value))) refuse()
        }
      },
      { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }
    )
    JSON.parse(input)
    return isStrict && parseTree(input) !== undefined
  } catch {
    return false
  }
}
