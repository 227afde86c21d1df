import { assert, describe, it } from "@effect/vitest"
import { limitsAreEnforced } from "../../../../simulator/properties/safety/limits-are-enforced.ts"
import { GrantProjects, Grants } from "../../../../src/access/store.ts"
import { Jobs } from "../../../../src/jobs/store.ts"
import { Memberships } from "../../../../src/people/store.ts"
import { ProjectEvents } from "../../../../src/projects/store.ts"
import type { Instant } from "../../../../src/vocabulary/instant.ts"
import { WebhookProjectCursors, WebhookSubscriptions } from "../../../../src/webhooks/store.ts"
import { type Change, SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

const later = "2026-11-01T00:00:00.000Z" as Instant

const world = () =>
  new SyntheticRun(limitsAreEnforced).holds(
    put(Memberships, { membershipId: "mem_1", validUntil: later, endedAt: null }),
    put(Grants, { grantId: "grant_1", membershipId: "mem_1", expiresAt: later, revokedAt: null }),
    put(Grants, { grantId: "grant_2", membershipId: "mem_1", expiresAt: later, revokedAt: noon })
  )

const times = (count: number, one: (number: number) => Change): ReadonlyArray<Change> =>
  Array.from({ length: count }, (_, index) => one(index + 1))

const subscription = (number: number, more: { grantId?: string; revokedAt?: Instant; expiresAt?: Instant } = {}) =>
  put(WebhookSubscriptions, {
    subscriptionId: `webhook_${number}`,
    owner: "owner_1",
    grantId: "grant_1",
    membershipId: "mem_1",
    revokedAt: null,
    expiresAt: later,
    ...more
  })

const kinds: ReadonlyArray<readonly [what: string, limit: number, one: (number: number) => Change]> = [
  ["events of a project", 100, (sequence) => put(ProjectEvents, { projectId: "delivery_1", sequence })],
  ["projects of a grant", 50, (number) => put(GrantProjects, { grantId: "grant_1", projectId: `delivery_${number}` })],
  ["saved jobs of a grant", 500, (number) => put(Jobs, { jobId: `job_${number}`, grantId: "grant_1" })],
  ["subscriptions of an owner", 50, (number) => subscription(number)],
  [
    "projects of a subscription",
    50,
    (number) => put(WebhookProjectCursors, { subscriptionId: "webhook_1", projectId: `delivery_${number}` })
  ]
]

describe("limits are enforced", () => {
  it.each(kinds)("The maximum number of %s is allowed, and one more is a violation", (_, limit, one) => {
    const full = () => world().holds(...times(limit - 1, one))
    assert.isUndefined(full().commits("scout", one(limit)).violation)
    assert.include(
      full()
        .commits("scout", one(limit))
        .commits("scout", one(limit + 1)).violation,
      String(limit + 1)
    )
  })

  it("Expired and revoked subscriptions, and those of a revoked grant, do not count towards the limit", () => {
    const ended = [
      subscription(1, { revokedAt: noon }),
      subscription(2, { expiresAt: noon }),
      subscription(3, { grantId: "grant_2" })
    ]
    const full = world().holds(...ended, ...times(49, (number) => subscription(number + 3)))
    assert.isUndefined(full.commits("scout", subscription(53)).violation)
    assert.isDefined(full.commits("scout", subscription(54)).violation)
  })
})
