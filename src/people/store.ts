/** The tables of people: workspaces, organizations, persons and the memberships that join them. */
import { instant, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Authority } from "./membership.ts"

export const Organizations = table("organizations", {
  columns: { organizationId: text(), tenantId: text(), name: text(), createdAt: instant },
  key: ["organizationId"],
  guard: "append-only"
})

export const Persons = table("persons", {
  columns: { personId: text(), issuer: text(), subject: text(), name: text(), createdAt: instant },
  key: ["personId"],
  guard: "append-only",
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
    endedAt: nullable(instant)
  },
  key: ["membershipId"],
  guard: { root: "membership", by: "membershipId" },
  ordered: { byPerson: ["personId", "membershipId"], byOrganization: ["organizationId", "membershipId"] }
})

export type Membership = RowOf<typeof Memberships>
export type Person = RowOf<typeof Persons>
