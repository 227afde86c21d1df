/** Mail that stays in this process, and people who have an address to send it to. */
import { Effect } from "effect"
import { keepAddress } from "../../src/people/addresses.ts"
import type { Letter, MailFailed, MailServer } from "../../src/ports/mail.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"

export interface Letters extends MailServer {
  readonly sent: Array<Letter>
}

/** Keeps every letter, and answers as told. */
export const keepingLetters = (answer: Effect.Effect<void, MailFailed> = Effect.void): Letters => {
  const sent: Array<Letter> = []
  return {
    kind: "SERVER",
    sent,
    send: (letter) =>
      Effect.andThen(
        Effect.sync(() => sent.push(letter)),
        answer
      )
  }
}

/** As if the person's issuer had said so at a sign-in. */
export const giveAddress = Effect.fnUntraced(function* (personId: string, email: string | null) {
  const storage = yield* Storage
  yield* storage.transaction({ roots: [exclusive("person", personId)] }, (transaction) =>
    keepAddress(transaction, personId, email)
  )
})
