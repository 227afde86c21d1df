/** What the mutations need of an artifact that verifies. */
import type { Choices } from "./choices.ts"
import type { JwsEdit } from "./signed-edits.ts"

/** The contents of the files, by the role of each: `artifact`, `trust`, `status`, `authority`. */
export interface Files {
  readonly [role: string]: unknown
}

export interface Base {
  /** The files of one form of the artifact, some of them left out. */
  readonly files: (choices: Choices) => Files
  /** Every file, as a value. */
  readonly values: Files
  /** The same for a caller in memory. */
  readonly inMemory: Files
  /** The files after one edit of a signed object. */
  readonly editSigned: (edit: JwsEdit, choices: Choices) => Files
  /** The files after a consistent forgery by the issuer. */
  readonly forge: (choices: Choices) => Files
  /** The statements that the base proves: those of `provenStatements`. */
  readonly statements: string
}
