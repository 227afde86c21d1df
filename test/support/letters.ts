/** E-mail that stays in this process, and addresses of people. */
import { Effect } from "effect"
import { keepAddress } from "../../src/people/addresses.ts"
import type { Letter, MailFailed, MailServer } from "../../src/ports/mail.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"

export interface Letters extends MailServer {
  readonly sent: Array<Letter>
}

/** Records every e-mail, and answers with `answer`. */
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

/** Stores an e-mail address, as a sign-in with this claim would. */
export const giveAddress = Effect.fnUntraced(function* (personId: string, email: string | null) {
  const storage = yield* Storage
  yield* storage.transaction({ roots: [exclusive("person", personId)] }, (transaction) =>
    keepAddress(transaction, personId, email)
  )
})
