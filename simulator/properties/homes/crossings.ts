/** The transactions that write rows of several homes, and why they stay. All others write rows of one home. */
import { AuthorityEvents, GrantProjects, GrantProposals, Grants, Credentials } from "../../../src/access/store.ts"
import { CommerceOrders } from "../../../src/commerce/store.ts"
import { JobEnvelopes, Jobs } from "../../../src/jobs/store.ts"
import { ParticipationItems } from "../../../src/participation/store.ts"
import { Invitations } from "../../../src/people/store.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { Issuances, ProjectEvents, Projects, ProjectSides } from "../../../src/projects/store.ts"
import { ProposalEvents, Proposals, ProposalSides } from "../../../src/proposals/store.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookEvents,
  WebhookListeners,
  WebhookProjectCursors,
  WebhookQuotaSlots,
  WebhookSubscriptions
} from "../../../src/webhooks/store.ts"
import type { Write } from "../../observation/observation.ts"

export interface Crossing {
  readonly name: string
  /** Why it stays, and what it costs once the homes are on different nodes. */
  readonly reason: string
  /** The writes by which it is recognized: one of each table. */
  readonly writes: ReadonlyArray<readonly [AnyTable, ...ReadonlyArray<Write["change"]>]>
  /** All tables with a home that it writes. */
  readonly among: ReadonlyArray<AnyTable>
  readonly homesMax: number
}

export const crossings: ReadonlyArray<Crossing> = [
  {
    name: "acceptance of a proposal",
    reason:
      "The supplier's proposal becomes the buyer's agreement and enters the scope of both sides' grants: one signed " +
      "acceptance, one agreement. Once an agreement.",
    writes: [
      [Proposals, "update"],
      [ProposalEvents, "insert"],
      [Projects, "insert"]
    ],
    among: [
      Proposals,
      ProposalEvents,
      ProposalSides,
      Projects,
      ProjectEvents,
      ProjectSides,
      Grants,
      GrantProjects,
      AuthorityEvents
    ],
    homesMax: 2
  },
  {
    name: "scope of a buyer's grant over proposals",
    reason:
      "A proposal lists the grants that hold it, since its acceptance adds the agreement to exactly these. Once a grant and " +
      "proposal, by a person.",
    writes: [
      [GrantProposals, "insert"],
      [Proposals, "update"]
    ],
    among: [Grants, GrantProjects, GrantProposals, AuthorityEvents, Credentials, Proposals],
    homesMax: Number.MAX_SAFE_INTEGER
  },
  {
    name: "job of a supplier's grant",
    reason: "The job commits with the project on which it was checked, and the grant counts it against its limit.",
    writes: [
      [Jobs, "insert"],
      [Grants, "update"]
    ],
    among: [Jobs, JobEnvelopes, Grants],
    homesMax: 2
  },
  {
    name: "invitation by a supplier to a task",
    reason: "The invitation lies with those of the supplier, and the sides and tasks of a project with the project.",
    writes: [[Invitations, "insert", "update"]],
    among: [Invitations, ProjectSides, ParticipationItems],
    homesMax: 2
  },
  {
    name: "begin or end of a supplier's webhook subscription",
    reason:
      "Every commit of an event reads the listeners of its project on the project's node, so that a subscription writes them " +
      "there. Once a subscription and project.",
    writes: [
      [WebhookSubscriptions, "insert", "update"],
      [WebhookListeners, "insert", "update", "remove"]
    ],
    among: [WebhookSubscriptions, WebhookQuotaSlots, WebhookProjectCursors, WebhookListeners, Projects],
    homesMax: Number.MAX_SAFE_INTEGER
  },
  {
    name: "batch of the webhook worker",
    reason:
      "Sends and numberings of different subscriptions share a transaction for its cost only: each also commits alone, and a " +
      "distributed installation groups them by home.",
    writes: [[WebhookDeliveries, "insert", "update"]],
    among: [WebhookSubscriptions, WebhookProjectCursors, WebhookDeliveries, WebhookAttempts],
    homesMax: Number.MAX_SAFE_INTEGER
  },
  // The memory store reports no commit for a claim, so that only the soak on Postgres observes one.
  ...[Issuances, CommerceOrders, WebhookSubscriptions, WebhookEvents].map((table): Crossing => ({
    name: `claim or release of due rows of ${table.name}`,
    reason: "One statement leases the due rows of all tenants; on a node each, a worker leases those of its node.",
    writes: [[table, "update"]],
    among: [table],
    homesMax: Number.MAX_SAFE_INTEGER
  }))
]

/** True if the list names this transaction; `withHome`: its writes to tables with a home. */
export const isNamedCrossing = (withHome: ReadonlyArray<Write>, homes: number): boolean =>
  crossings.some(
    ({ writes, among, homesMax }) =>
      homes <= homesMax &&
      withHome.every(({ table }) => among.some(({ name }) => name === table)) &&
      writes.every(([{ name }, ...changes]) =>
        withHome.some(({ table, change }) => table === name && changes.includes(change))
      )
  )
