/** All pages about the members and invitations of an organization. */
import { Layer } from "effect"
import { organizationChoice } from "../organization.ts"
import { memberEnding } from "./members-end.ts"
import { memberInvitations } from "./members-invite.ts"
import { memberList } from "./members-list.ts"

export const memberPages = Layer.mergeAll(
  organizationChoice("members", "Members"),
  memberList,
  memberEnding,
  memberInvitations
)
