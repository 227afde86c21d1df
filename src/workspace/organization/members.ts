/** All pages about the members and invitations of an organization. */
import { Layer } from "effect"
import { organizationChoice } from "./own-membership.ts"
import { memberEnding } from "./end-membership.ts"
import { memberInvitations } from "./invite-member.ts"
import { memberList } from "./member-list.ts"

export const memberPages = Layer.mergeAll(
  organizationChoice("members", "Members"),
  memberList,
  memberEnding,
  memberInvitations
)
