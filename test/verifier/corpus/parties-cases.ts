/** Cases on the actors: the parties of the agreement, their successors, and acts that are reserved for people. */
import { editAgreement, editEvent, hex } from "../forgeries.ts"
import {
  afterIssuance,
  buyer,
  recordNaming,
  concern,
  dan,
  dismiss,
  mia,
  rename,
  supersede,
  supplier,
  withdraw
} from "../sample-steps.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { type Members, uuid } from "../signing.ts"
import { delegated, elsewhere, refusal } from "./samples.ts"
import { beforeInBrief, chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

const refused = ["history-parties", "PARTY_MISMATCH"] as const

/** Replaces the actor of that event. */
const by = (kind: string, actor: Members): Forgery => editEvent(kind, (event) => (event["actor"] = actor))

/** An agreement without a named supplier, and the acceptance of an invitation with these changes. */
const invited = (change: (acceptance: Members) => unknown = () => undefined): Forgery => ({
  ...editAgreement((agreement) => (agreement["supplier"] = { actorId: null })),
  history: (events) => {
    const { agreementDigest } = events[0]!["payload"]
    const payload = { agreementDigest, invitationId: `invitation_${uuid(48)}`, supplierActorId: ids.supplier }
    const acceptance = { ...events[0]!, kind: "INVITATION_ACCEPTED", requestId: uuid(49), actor: supplier, payload }
    events.splice(1, 0, (change(acceptance), acceptance))
  }
})

/** An agreement by acceptance of a proposal of that organization. */
const proposedBy = (supplierOrganizationId: string): Forgery =>
  editEvent("CREATE", (event) => Object.assign(event["payload"], { proposalDigest: hex("1"), supplierOrganizationId }))

/** Another representative, starting with the submission. */
const followed = (certified = mia.id): Forgery =>
  chainForgeries(by("SUBMIT", mia), recordNaming(certified), beforeInBrief("SUBMIT", rename(supplier, mia.id)))

const named: ReadonlyArray<Case> = [
  refusal(
    "parties/created-by-somebody-else_fail",
    "The agreement was created by another of the buyer's people than the one it names as its buyer.",
    ...refused,
    {
      forgery: by("CREATE", dan)
    }
  ),
  okCase(
    "parties/accepted-by-another-of-the-buyer_ok",
    "Another of the buyer's people accepted; for the buyer its organization acts.",
    {
      forgery: by("REVIEW", dan)
    }
  ),
  refusal(
    "parties/submitted-by-somebody-else_fail",
    "Another of the supplier's people submitted; for the supplier the representative alone acts.",
    ...refused,
    {
      forgery: by("SUBMIT", mia)
    }
  ),
  refusal(
    "parties/accepted-by-supplier_fail",
    "The supplier accepted the supplier's own work, which is the buyer's to do.",
    ...refused,
    {
      forgery: by("REVIEW", supplier)
    }
  ),
  refusal(
    "parties/accepted-by-another-organization_fail",
    "Somebody accepted in the buyer's role for an organization that is no party.",
    ...refused,
    {
      forgery: by("REVIEW", { ...dan, organizationId: elsewhere })
    }
  ),
  refusal(
    "parties/supplier-changes-organization_fail",
    "The supplier submitted for another organization than it answered for; the party would have changed unseen.",
    ...refused,
    {
      forgery: editEvent("SUBMIT", (event) => (event["actor"].organizationId = elsewhere))
    }
  )
]

const joined: ReadonlyArray<Case> = [
  okCase(
    "parties/invitation-accepted_ok",
    "The agreement names no supplier, and is bound by the one who accepted the invitation.",
    {
      forgery: invited()
    }
  ),
  refusal(
    "parties/invitation-accepted-for-somebody-else_fail",
    "An invitation was accepted in another person's name; only the invited person can be bound by it.",
    ...refused,
    {
      forgery: invited((acceptance) => (acceptance["actor"] = mia))
    }
  ),
  okCase(
    "parties/proposed_ok",
    "The agreement was made by accepting a proposal, and the organization that proposed it acts.",
    {
      forgery: proposedBy(ids.supplierOrganization)
    }
  ),
  refusal(
    "parties/proposed-by-another-organization_fail",
    "Another organization acts as the supplier than the one that proposed.",
    ...refused,
    {
      forgery: proposedBy(elsewhere)
    }
  ),
  okCase(
    "parties/representative-changed_ok",
    "The supplier named another representative, who delivered and whom the record names.",
    {
      forgery: followed()
    }
  ),
  refusal(
    "parties/record-of-former-representative_fail",
    "The record names the representative before the change, and not the one who delivered.",
    "record-parties",
    "PARTY_MISMATCH",
    { forgery: followed(ids.supplier) }
  ),
  refusal(
    "parties/representative-named-by-buyer_fail",
    "The buyer named the supplier's representative, and could so have chosen who answers to it.",
    ...refused,
    {
      forgery: afterIssuance(rename(buyer, mia.id))
    }
  ),
  refusal(
    "parties/representative-of-the-buyer_fail",
    "The supplier named somebody who had acted for the buyer; nobody acts on both sides.",
    ...refused,
    {
      forgery: afterIssuance(rename(supplier, ids.buyer))
    }
  )
]

const ended: ReadonlyArray<Case> = [
  refusal(
    "parties/concern-dismissed-by-the-other-side_fail",
    "The supplier dismissed the buyer's concern; only the side that raised it can.",
    ...refused,
    {
      forgery: afterIssuance(concern(buyer), dismiss(supplier))
    }
  ),
  refusal(
    "parties/withdrawn-by-supplier_fail",
    "The supplier withdrew the buyer's confirmation, which is the buyer's alone.",
    ...refused,
    {
      forgery: afterIssuance(withdraw(supplier))
    }
  ),
  refusal(
    "parties/agreed-terms-ended-by-buyer_fail",
    "The buyer ended terms that the supplier had agreed to; only the supplier's acceptance of others ends them.",
    ...refused,
    {
      forgery: afterIssuance(supersede(buyer))
    }
  ),
  refusal(
    "parties/withdrawn-by-agent_fail",
    "An agent withdrew the confirmation, which only a person does.",
    ...refused,
    {
      base: delegated("CREATE"),
      forgery: afterIssuance(withdraw("buyer"))
    }
  )
]

export const partiesCases: ReadonlyArray<Case> = [...named, ...joined, ...ended]
