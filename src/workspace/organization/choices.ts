/** Radio buttons to choose one of a person's organizations, and the role in it. */
import type { Role } from "../../access/actions.ts"
import { radioGroup } from "../kit/choices.ts"
import type { FormState } from "../kit/fields.ts"
import { untrusted, type Element } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import type { Membership } from "./own-membership.ts"

interface OrganizationRadiosOptions {
  readonly legend: string
  readonly memberships: ReadonlyArray<Pick<Membership, "organizationId" | "organizationName">>
  /** True where a single option is preselected. */
  readonly choosesOnly?: boolean
}

export const organizationRadios = (
  state: FormState,
  { legend, memberships, choosesOnly = false }: OrganizationRadiosOptions
): Element =>
  radioGroup(state, {
    name: "organizationId",
    legend,
    chosen: choosesOnly && memberships.length === 1 ? memberships.map(({ organizationId }) => organizationId) : [],
    choices: memberships.map(({ organizationId, organizationName }) => ({
      value: organizationId,
      label: untrusted(organizationName)
    }))
  })

interface RoleRadiosOptions {
  readonly legend: string
  readonly roles: ReadonlyArray<Role>
  readonly hints: { readonly [R in Role]: string }
  readonly choosesOnly?: boolean
}

export const roleRadios = (
  state: FormState,
  { legend, roles, hints, choosesOnly = false }: RoleRadiosOptions
): Element =>
  radioGroup(state, {
    name: "role",
    legend,
    chosen: choosesOnly && roles.length === 1 ? roles : [],
    choices: roles.map((role) => ({ value: role, label: roleLabels[role], hint: hints[role] }))
  })
