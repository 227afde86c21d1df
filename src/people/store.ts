/** The tables of people: organizations, persons, memberships, invitations, contacts and sessions. */
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { InvitationTerms, InvitationKind, InvitationState } from "./invitation.ts"
import type { Authority } from "./membership.ts"

export const Organizations = table("organizations", {
  columns: { organizationId: text(), tenantId: text(), name: text(), createdAt: instant },
  key: ["organizationId"],
  guard: "append-only",
  // The workspace of one person has their name.
  erasable: { lock: "credit", by: "organizationId", columns: ["name"] }
})

export const Persons = table("persons", {
  columns: { personId: text(), issuer: text(), subject: text(), name: text(), createdAt: instant },
  key: ["personId"],
  guard: "append-only",
  erasable: { lock: "person", by: "personId", columns: ["issuer", "subject", "name"] },
  unique: { bySubject: ["issuer", "subject"] },
  raced: true
})

export const Memberships = table("memberships", {
  columns: {
    membershipId: text(),
    tenantId: text(),
    organizationId: text(),
    personId: text(),
    authorities: json<ReadonlyArray<Authority>>(),
    validFrom: instant,
    validUntil: instant,
    endedAt: nullable(instant),
    /** The earlier of both; later in a row that the previous version wrote. */
    effectiveUntil: instant
  },
  key: ["membershipId"],
  guard: { lock: "membership", by: "membershipId" },
  ordered: {
    byPerson: ["personId", "membershipId"],
    byOrganization: ["organizationId", "membershipId"],
    byEnd: ["organizationId", "effectiveUntil", "membershipId"],
    byEndOfPerson: ["personId", "effectiveUntil", "membershipId"]
  }
})

/** The newest membership of a person in an organization: at most one is in force, also with concurrent insertions. */
export const CurrentMemberships = table("membership_places", {
  columns: { personId: text(), organizationId: text(), membershipId: text() },
  key: ["personId", "organizationId"],
  guard: { lock: "person", by: "personId" }
})

/** The e-mail address that the issuer of a person's newest sign-in verified; no row where there is none. */
export const PersonAddresses = table("person_addresses", {
  columns: { personId: text(), email: text() },
  key: ["personId"],
  guard: { lock: "person", by: "personId" }
})

/** Workspaces that people created for themselves. */
export const SelfServiceAccounts = table("self_service_accounts", {
  columns: {
    organizationId: text(),
    personId: text(),
    membershipId: text(),
    createdAt: instant,
    removedAt: nullable(instant)
  },
  key: ["organizationId"],
  guard: { lock: "person", by: "personId" },
  ordered: { byPerson: ["personId", "organizationId"] }
})

/** Only the hash of a session's token is stored. */
export const Sessions = table("sessions", {
  columns: {
    sessionId: text(),
    personId: text(),
    tokenHash: text(),
    /** When the person last authenticated. */
    authenticatedAt: instant,
    createdAt: instant,
    lastSeenAt: instant,
    expiresAt: instant,
    endedAt: nullable(instant)
  },
  key: ["sessionId"],
  guard: { lock: "person", by: "personId" },
  unique: { byToken: ["tokenHash"] },
  ordered: { byPerson: ["personId", "sessionId"] }
})

/** Only the hash of an invitation's code is stored. */
export const Invitations = table("invitations", {
  columns: {
    invitationId: text(),
    codeHash: text(),
    kind: text<InvitationKind>(),
    organizationId: text(),
    /** The project it refers to; null for a membership. */
    projectId: nullable(text()),
    terms: json<InvitationTerms>(),
    invitedBy: text(),
    /** The inviter's membership: the invitation is valid only while this carries the authority for it. */
    membershipId: text(),
    createdAt: instant,
    expiresAt: instant,
    state: text<InvitationState>(),
    concludedAt: nullable(instant),
    acceptedBy: nullable(text()),
    /** The id that the acceptance created. */
    madeId: nullable(text())
  },
  key: ["invitationId"],
  guard: { lock: "invitation", by: "invitationId" },
  unique: { byCode: ["codeHash"] },
  ordered: {
    byOrganization: ["organizationId", "invitationId"],
    byState: ["organizationId", "state", "expiresAt", "invitationId"]
  }
})

/** Contacts of an organization, each under a reference. `place` is the organization's id and the reference. */
export const Contacts = table("contacts", {
  columns: {
    place: text(),
    contactId: text(),
    organizationId: text(),
    reference: text(),
    name: text(),
    personId: text(),
    createdAt: instant
  },
  key: ["place"],
  guard: { lock: "contact", by: "place" },
  ordered: { byOrganization: ["organizationId", "place"] }
})

/** Guess attempts, in a window that starts with the first. */
export const AttemptCounters = table("attempt_counters", {
  columns: { counterId: text(), windowStartedAt: instant, attempts: integer },
  key: ["counterId"],
  guard: { lock: "counter", by: "counterId" },
  ordered: { byWindow: ["windowStartedAt", "counterId"] }
})

export type Membership = RowOf<typeof Memberships>
export type Person = RowOf<typeof Persons>
export type Session = RowOf<typeof Sessions>
export type Invitation = RowOf<typeof Invitations>
export type Contact = RowOf<typeof Contacts>
