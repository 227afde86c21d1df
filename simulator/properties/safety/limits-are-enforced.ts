/** Limits hold under concurrency (spec 8). */
import { GrantProjects } from "../../../src/access/store.ts"
import { CommerceOrders, ResultOrders } from "../../../src/commerce/store.ts"
import { Jobs } from "../../../src/jobs/store.ts"
import type { AnyTable } from "../../../src/ports/table.ts"
import { ProjectEvents } from "../../../src/projects/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { WebhookProjectCursors, WebhookSubscriptions } from "../../../src/webhooks/store.ts"
import { violation, monitoredProperty, type Moment, rowsWithPrefix } from "../property.ts"
import { firstKeysOf, rowsWritten } from "../support/commits.ts"
import { authorityEndOf } from "../support/subscription-authority.ts"

/** The limits of the specification. */
const most = {
  eventsOfAProject: 100,
  projectsOfAGrant: 50,
  jobsOfAGrant: 500,
  subscriptionsOfAnOwner: 50,
  projectsOfASubscription: 50,
  publicationsOfAResult: 20,
  livePublicationsOfAResult: 1,
  ordersOfAProject: 20,
  liveOrdersOfARecord: 1,
  attemptsOfAnOrder: 20
}

export const limitsAreEnforced = monitoredProperty<null>({
  name: "limits are enforced",
  kind: "always",
  says: "The numbers of events, projects in scope, saved jobs, subscriptions and their projects, publications of a result, Result Orders and payment attempts never exceed their limits.",
  judges: {
    kinds: [],
    commitsTo: [
      ProjectEvents,
      GrantProjects,
      WebhookProjectCursors,
      Jobs,
      WebhookSubscriptions,
      Publications,
      ResultOrders,
      CommerceOrders
    ]
  },
  initial: null,
  next: (_, moment) => {
    if (moment.observed.kind !== "commit") return null
    const words =
      tooManyUnder(moment, ProjectEvents, most.eventsOfAProject) ??
      tooManyUnder(moment, GrantProjects, most.projectsOfAGrant) ??
      tooManyUnder(moment, WebhookProjectCursors, most.projectsOfASubscription) ??
      tooManyJobs(moment) ??
      tooManyPublications(moment) ??
      tooManyOrders(moment) ??
      tooManyAttempts(moment) ??
      tooManySubscriptions(moment)
    return words === undefined ? null : violation(words)
  }
})

/** For a table whose rows belong to the first column of its key. */
const tooManyUnder = ({ observed, rows }: Moment, table: AnyTable, atMost: number): string | undefined => {
  for (const owner of firstKeysOf(observed, table)) {
    const count = rowsWithPrefix(rows, table, [owner]).length
    if (count > atMost) return `${owner} has ${count} rows of ${table.name}, and the limit is ${atMost}`
  }
  return undefined
}

const tooManyJobs = ({ observed, rows }: Moment): string | undefined => {
  for (const { grantId } of rowsWritten(observed, rows, Jobs, "insert")) {
    const count = rows.of(Jobs).filter((job) => job.grantId === grantId).length
    if (count > most.jobsOfAGrant) return `${grantId} has ${count} saved jobs, and the limit is ${most.jobsOfAGrant}`
  }
  return undefined
}

const tooManyPublications = ({ observed, rows }: Moment): string | undefined => {
  for (const { projectId } of rowsWritten(observed, rows, Publications, "insert")) {
    const all = rowsWithPrefix(rows, Publications, [projectId], "byProject")
    const live = all.filter(({ state }) => state !== "WITHDRAWN")
    if (all.length > most.publicationsOfAResult || live.length > most.livePublicationsOfAResult) {
      return `${projectId} has ${all.length} publications, ${live.length} of them live, and the limits are ${most.publicationsOfAResult} and ${most.livePublicationsOfAResult}`
    }
  }
  return undefined
}

/** Declined and withdrawn orders are not live. */
const tooManyOrders = ({ observed, rows }: Moment): string | undefined => {
  for (const { projectId, recordId } of rowsWritten(observed, rows, ResultOrders, "insert")) {
    const all = rowsWithPrefix(rows, ResultOrders, [projectId], "byProject")
    const live = all.filter((one) => one.recordId === recordId && one.state !== "DECLINED" && one.state !== "WITHDRAWN")
    if (all.length > most.ordersOfAProject || live.length > most.liveOrdersOfARecord) {
      return `${projectId} has ${all.length} Result Orders, ${live.length} of them live for ${recordId}, and the limits are ${most.ordersOfAProject} and ${most.liveOrdersOfARecord}`
    }
  }
  return undefined
}

const tooManyAttempts = ({ observed, rows }: Moment): string | undefined => {
  for (const { resultOrderId } of rowsWritten(observed, rows, CommerceOrders, "insert")) {
    const count = rowsWithPrefix(rows, CommerceOrders, [resultOrderId], "byOrder").length
    if (count > most.attemptsOfAnOrder)
      return `${resultOrderId} has ${count} payment attempts, and the limit is ${most.attemptsOfAnOrder}`
  }
  return undefined
}

/** Ended subscriptions do not count. */
const tooManySubscriptions = ({ observed, rows }: Moment): string | undefined => {
  for (const { owner } of rowsWritten(observed, rows, WebhookSubscriptions, "insert")) {
    const live = rows
      .of(WebhookSubscriptions)
      .filter((one) => one.owner === owner && one.revokedAt === null && observed.at < one.expiresAt)
      .filter((one) => observed.at < authorityEndOf(one, rows))
    if (live.length > most.subscriptionsOfAnOwner)
      return `${owner} has ${live.length} subscriptions, and the limit is ${most.subscriptionsOfAnOwner}`
  }
  return undefined
}
