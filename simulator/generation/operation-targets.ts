/** Targets of operations, by the parameters of their paths. */
import { apiOperations, publicOperations } from "../scenario/operations/agent-api.ts"
import { pathParametersOf } from "../scenario/operations/api-operation.ts"
import { operationForms } from "../scenario/operations/operation-forms.ts"
import { workspaceOperations } from "../scenario/operations/workspace-api.ts"
import type { SeededRandom } from "../kernel/seeded-random.ts"
import type { IdKind, KnownIds } from "./known-ids.ts"

/** Undefined if no possible target exists yet. */
export const targetFor = (
  operation: string,
  pools: KnownIds,
  random: SeededRandom
): { readonly on?: string } | undefined => {
  const count = operationForms.get(operation)?.actsOn ?? 0
  if (count === 0) return {}
  const kind = kindFor(operation)
  if (kind === "organization") return { on: random.pick(["${harbor.id}", "${harbor.id}", "${lumen.id}"]) }
  if (kind === "specification") return { on: random.pick(["sea-chart/1", "sea-chart/1", "sea-chart/2", "globe/1"]) }
  if (kind === "share") {
    const share = pools.pick("share")
    const project = pools.pick("project")
    if (share === undefined || project === undefined) return undefined
    return { on: count === 1 ? share : `${project}/${share}` }
  }
  const on = pools.pick(kind)
  return on === undefined ? undefined : { on }
}

type Target = IdKind | "organization" | "specification"

const kindFor = (operation: string): Target => {
  const form = apiOperations[operation] ?? publicOperations[operation] ?? workspaceOperations[operation]
  if (form === undefined) return "project"
  const [parameter = "", another] = pathParametersOf(form)
  if (another !== undefined) return composites[another] ?? "project"
  return byParameter[parameter] ?? kindOfPath(form.path)
}

const composites: { readonly [parameter: string]: Target } = {
  "{deliveryId}": "delivery",
  "{shareId}": "share",
  "{publicationId}": "publication",
  "{version}": "specification"
}

const byParameter: { readonly [parameter: string]: Target } = {
  "{organizationId}": "organization",
  "{membershipId}": "membership",
  "{invitationId}": "invitation",
  "{connectionId}": "connection",
  "{grantId}": "grant",
  "{subscriptionId}": "subscription",
  "{jobId}": "job",
  "{itemId}": "item",
  "{shareId}": "share",
  "{subjectId}": "subject",
  "{orderId}": "order",
  "{resultOrderId}": "order",
  "{commerceOrderId}": "attempt"
}

const kindOfPath = (path: string): Target =>
  path.includes("/proposals/") ? "proposal" : path.includes("/drafts/") ? "draft" : "project"
