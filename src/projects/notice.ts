/** Tells the other side's acting person that a project changed: one letter a command, after it has committed. */
import { Effect, Option } from "effect"
import type { Role } from "../access/actions.ts"
import { readAddress } from "../people/addresses.ts"
import { membershipIn } from "../people/human.ts"
import { Installation } from "../ports/installation.ts"
import { Mail, MailFailed, type Letter, type MailServer } from "../ports/mail.ts"
import { Storage, StorageUnavailable } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { Stored } from "./history.ts"
import { humanUrlOf } from "./human.ts"
import type { Project, State } from "./project.ts"

/** Why no letter went out; undefined where one did. */
export type EmailUpdate = "FAILED" | "DISABLED" | undefined

/** After the commit and before the answer, three seconds in all; what happens here undoes nothing. */
export const notifyOtherSide = Effect.fn("projects.notifyOtherSide")(function* (stored: Stored, by: Role) {
  const mail = yield* Mail
  if (mail.kind === "NONE") return "DISABLED" satisfies EmailUpdate
  const { projectId } = stored.row
  return yield* sendTo(mail, stored, by).pipe(
    Effect.catchDefect((defect) =>
      defect instanceof StorageUnavailable
        ? Effect.fail(new MailFailed({ reason: "the address cannot be read" }))
        : Effect.die(defect)
    ),
    Effect.timeoutOption(limits.mail),
    Effect.flatMap(
      Option.match({ onNone: () => Effect.fail(new MailFailed({ reason: "timeout" })), onSome: Effect.succeed })
    ),
    Effect.catch(({ reason }) =>
      Effect.logWarning("notification mail failed").pipe(
        Effect.annotateLogs({ projectId, reason }),
        Effect.as<EmailUpdate>("FAILED")
      )
    )
  )
})

/**
 * Who acted for the other side last; the supplier's person is named, also before their first act. Whoever has left their
 * organization is told nothing more.
 */
const findOther = Effect.fnUntraced(function* ({ row, project }: Stored, by: Role) {
  const storage = yield* Storage
  const now = yield* currentTime
  const { agreement, events, supplier } = project
  const buyer = events.findLast(({ actor }) => actor.role === "BUYER")?.actor.id
  const people = by === "BUYER" ? [supplier.actorId] : [buyer, agreement.buyer.actorId]
  const organizationId = by === "BUYER" ? row.supplierOrganizationId : row.buyerOrganizationId
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      for (const personId of people.flatMap((one) => one ?? [])) {
        // Before its first answer the supplier's organization is not known.
        const isThere =
          organizationId === null || (yield* membershipIn(reader, personId, organizationId, now)) !== undefined
        if (isThere) return personId
      }
      return undefined
    })
  )
})

const sendTo = Effect.fnUntraced(function* (mail: MailServer, stored: Stored, by: Role) {
  const personId = yield* findOther(stored, by)
  const address = personId === undefined ? null : yield* readAddress(personId)
  if (address === null) return "DISABLED" satisfies EmailUpdate
  const { siteUrl } = yield* Installation
  yield* mail.send(letterTo(address, stored.project, humanUrlOf(siteUrl, stored.row.projectId)))
  return undefined
})

// Nothing here was typed by anybody: the letter leaves for servers that neither side chose.
const letterTo = (to: string, { hold, state }: Project, link: string): Letter => ({
  to,
  subject: "An agreement of yours has changed",
  text: [
    "The other side has acted on an agreement that you take part in.",
    hold === null ? standing[state] : "Another date was asked for; until a person decides, it stands still.",
    `Read it, and what it waits for, after signing in:\n${link}`,
    "You get this because you act for one side of this agreement. Do not answer: nobody reads it."
  ].join("\n\n")
})

/** Where the agreement stands, in words that fit both sides. */
const standing: { readonly [S in State]: string } = {
  AWAITING_SUPPLIER: "It waits for the supplier's answer to the terms.",
  AGREEMENT_CHANGES_REQUESTED: "The supplier has asked for other terms; it waits for the buyer.",
  SUPPLIER_DECLINED: "The supplier has declined it.",
  LOCKED: "Its terms are agreed.",
  SUBMITTED: "The supplier has submitted; it waits for the buyer's decision.",
  CHANGES_REQUESTED: "The buyer has asked for changes; it waits for the supplier.",
  AWAITING_EVIDENCE: "The buyer has asked for more evidence; it waits for the supplier.",
  BUYER_CONFIRMED: "The buyer has accepted the result.",
  BUYER_REJECTED: "The buyer has rejected the result.",
  CONFIRMATION_CONTESTED: "A concern about the acceptance was raised; a person has to resolve it.",
  CONFIRMATION_WITHDRAWN: "The acceptance no longer stands.",
  SUPERSEDED: "Another agreement has taken its place."
}
