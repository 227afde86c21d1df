/** Filters that several lists have. */
import { visible } from "../../canonical/visible-characters.ts"
import type { ListFilter } from "./list-query.ts"

interface NamedOrganization {
  readonly organizationId: string
  readonly organizationName: string
}

/** None where there is nothing to choose. */
export const organizationFilter = (memberships: ReadonlyArray<NamedOrganization>): ReadonlyArray<ListFilter> =>
  memberships.length < 2
    ? []
    : [
        {
          name: "organization",
          label: "Organization",
          choices: memberships.map(({ organizationId, organizationName }) => ({
            value: organizationId,
            label: visible(organizationName)
          }))
        }
      ]

/** A choice among the labelled values of the wire. */
export const labelFilter = (
  name: string,
  label: string,
  labels: { readonly [value: string]: string | { readonly name: string } }
): ListFilter => ({
  name,
  label,
  choices: Object.entries(labels).map(([value, text]) => ({
    value,
    label: typeof text === "string" ? text : text.name
  }))
})
