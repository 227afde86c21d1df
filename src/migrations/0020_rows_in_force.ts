/** Indexes of what is in force among all that has ended, and of the webhooks of a person and of all their agents. */
import type { Step } from "./migration.ts"

const never = "'9999-12-31T23:59:59.999Z'"

export const rowsInForce: ReadonlyArray<Step> = [
  {
    kind: "transaction",
    statements: [`alter table memberships add column effective_until timestamptz(3) not null default ${never}`]
  },
  {
    kind: "batches",
    change:
      "update memberships set effective_until = least(valid_until, ended_at) where membership_id in" +
      ` (select membership_id from memberships where effective_until = ${never}` +
      ` and least(valid_until, ended_at) < ${never} limit 1000)`
  },
  {
    kind: "index",
    name: "memberships_by_end_of_person",
    on: "memberships (person_id, effective_until, membership_id)"
  },
  { kind: "index", name: "memberships_by_end", on: "memberships (organization_id, effective_until, membership_id)" },
  {
    kind: "index",
    name: "invitations_by_state",
    on: "invitations (organization_id, state, expires_at, invitation_id)"
  },
  {
    kind: "index",
    name: "webhook_subscriptions_by_creation",
    on: "webhook_subscriptions (person_id, created_at, subscription_id)"
  }
]
