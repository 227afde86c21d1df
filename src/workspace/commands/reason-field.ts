/** The reason of a command. */
import { limits } from "../../vocabulary/limits.ts"
import { linesField } from "../kit/form-field.ts"

/** `hint` says who reads it. */
export const reasonField = (hint: string, rows = 3) =>
  linesField({ what: "The reason", label: "Reason", hint, rows, characters: limits.textCharacters })

export const readByOtherParty = "The other party reads it, and it stays in the history."
export const readByBuyer = "The buyer reads it, and it stays in the history."
