/** E-mail that stays in this process, and addresses of people. */
import { Effect } from "effect"
import { recordEmailAddress } from "../../src/people/email-addresses.ts"
import type { Email, MailFailure, MailServer } from "../../src/ports/mail.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"

export interface EmailRecorder extends MailServer {
  readonly sent: Array<Email>
}

/** Records every e-mail, and answers with `answer`. */
export const recordEmail = (answer: Effect.Effect<void, MailFailure> = Effect.void): EmailRecorder => {
  const sent: Array<Email> = []
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
export const setEmailAddress = Effect.fnUntraced(function* (personId: string, email: string | null) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("person", personId)] }, (transaction) =>
    recordEmailAddress(transaction, personId, email)
  )
})
