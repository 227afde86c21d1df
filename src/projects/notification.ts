/** Notifies the other side's acting person of a change by e-mail: one e-mail per command, after its commit. */
import { Effect, Option } from "effect"
import type { Role } from "../access/actions.ts"
import { readEmailAddress } from "../people/email-addresses.ts"
import { membershipIn } from "../people/acting-person.ts"
import { Installation } from "../ports/installation.ts"
import { Mail, MailFailure, type Email, type MailServer } from "../ports/mail.ts"
import { inView } from "../ports/storage/run.ts"
import { StorageUnavailable } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { StoredProject } from "./history.ts"
import { humanUrlOf } from "./human-url.ts"
import type { Project, State } from "./project.ts"
import { traced } from "../vocabulary/traced.ts"

/** Why no e-mail was sent; undefined if one was. */
export type EmailUpdate = "FAILED" | "DISABLED" | undefined

/** Runs after the commit and before the response, for at most `limits.mail`; a failure does not affect the command. */
export const notifyOtherSide = traced("projects.notifyOtherSide")(function* (stored: StoredProject, by: Role) {
  const mail = yield* Mail
  if (mail.kind === "NONE") return "DISABLED" satisfies EmailUpdate
  const { projectId } = stored.row
  return yield* sendTo(mail, stored, by).pipe(
    Effect.catchDefect((defect) =>
      defect instanceof StorageUnavailable
        ? Effect.fail(new MailFailure({ reason: "the address cannot be read" }))
        : Effect.die(defect)
    ),
    Effect.timeoutOption(limits.mail),
    Effect.flatMap(
      Option.match({ onNone: () => Effect.fail(new MailFailure({ reason: "timeout" })), onSome: Effect.succeed })
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
 * The person who acted last for the other side: the named representative for the supplier, the last actor or the creator
 * for the buyer. A person who has left the organization is not notified.
 */
const findRecipient = Effect.fnUntraced(function* ({ row, project }: StoredProject, by: Role) {
  const now = yield* currentTime
  const { agreement, events, supplier } = project
  const buyer = events.findLast(({ actor }) => actor.role === "BUYER")?.actor.id
  const people = by === "BUYER" ? [supplier.actorId] : [buyer, agreement.buyer.actorId]
  const organizationId = by === "BUYER" ? row.supplierOrganizationId : row.buyerOrganizationId
  return yield* inView(function* (reader) {
    for (const personId of people.flatMap((one) => one ?? [])) {
      // Before its first response the supplier's organization is unknown.
      const isMember =
        organizationId === null || (yield* membershipIn(reader, personId, organizationId, now)) !== undefined
      if (isMember) return personId
    }
    return undefined
  })
})

const sendTo = Effect.fnUntraced(function* (mail: MailServer, stored: StoredProject, by: Role) {
  const personId = yield* findRecipient(stored, by)
  const address = personId === undefined ? null : yield* readEmailAddress(personId)
  if (address === null) return "DISABLED" satisfies EmailUpdate
  const { siteUrl } = yield* Installation
  yield* mail.send(emailTo(address, stored.project, humanUrlOf(siteUrl, stored.row.projectId)))
  return undefined
})

// The e-mail contains no text entered by a party: it passes through servers that neither side chose.
const emailTo = (to: string, { hold, state }: Project, link: string): Email => ({
  to,
  subject: "An agreement of yours has changed",
  text: [
    "The other side has acted on an agreement that you take part in.",
    hold === null ? stateTexts[state] : "Another date was requested; the agreement is on hold until a person decides.",
    `Read it, and what it waits for, after signing in:\n${link}`,
    "You get this because you act for one side of this agreement. Do not reply: this mailbox is not read."
  ].join("\n\n")
})

/** The state of the agreement, worded for both sides. */
const stateTexts: { readonly [S in State]: string } = {
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
  CONFIRMATION_WITHDRAWN: "The acceptance was withdrawn.",
  SUPERSEDED: "Another agreement has taken its place."
}
