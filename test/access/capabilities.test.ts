/** The limits published by the capabilities. */
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PublishedLimits, publishedLimits } from "../../src/access/published-limits.ts"
import { ConfiguredWebhookTiming, defaultWebhookTiming } from "../../src/ports/webhook-timing.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { send } from "../support/service.ts"

const day = 86_400

/** Section 8 of the specification, row by row, with its numbers. */
const specified: ReadonlyArray<readonly [subject: string, Partial<typeof PublishedLimits.Type>]> = [
  ["Default request body", { bodyBytes: 1_000_000 }],
  ["result-package export request", { exportRequestBytes: 4_096 }],
  ["Canonicalized export", { canonicalExportBytes: 2 * 1_024 * 1_024 }],
  ["Passport selection", { passportSelectionMin: 1, passportSelectionMax: 20 }],
  ["Commerce Record export", { commerceEntriesPerExport: 1_000 }],
  ["Agent credential lifetime", { credentialLifetimeSeconds: 30 * day }],
  ["Participation assistant credential", { assistantCredentialLifetimeSeconds: day }],
  ["Connection request lifetime", { connectionLifetimeSeconds: 600 }],
  ["Specification handoff in a browser", { specificationHandoffSeconds: day }],
  ["Projects created into one credential's scope", { projectsPerGrant: 50 }],
  ["Saved jobs", { jobsPerGrant: 500 }],
  [
    "Webhook subscriptions",
    { subscriptionsPerOwner: 50, projectsPerSubscription: 50, subscriptionLifetimeSeconds: 30 * day }
  ],
  ["Delivery attempts", { scheduledAttemptsPerDelivery: 8, totalAttemptsPerDelivery: 80 }],
  [
    "Worker",
    {
      deliveriesPerPass: 20,
      deliveryPassSeconds: 15,
      deliveryLeaseSeconds: 30,
      deliveryTimeoutSeconds: 10,
      deliveryBackoffSeconds: 15,
      deliveryBackoffMaxSeconds: 3_600
    }
  ],
  ["Delivery history page", { deliveriesPerPage: 100 }],
  ["Event history of one project", { eventsPerProject: 100 }],
  ["Webhook timestamp tolerance", { webhookTimestampToleranceSeconds: 300 }],
  ["Agent status and publication status window", { statusWindowSeconds: 300 }],
  ["Commerce component status window", { commerceStatusWindowSeconds: 3_600 }],
  ["Issuance", { creditsPerIssuance: 1 }],
  ["Resumed subscription", { resumedSubscriptionCheckSeconds: 60 }]
]

/** Limits that the decisions add to the specification. */
const ownLimits = ["proposalsPerGrant", "criteria", "filesPerItem", "referencesPerItem"]

it.each(specified)("The capabilities publish the limit of section 8: %s", (_, expected) => {
  assert.deepInclude(publishedLimits(defaultWebhookTiming), expected)
})

it("Every published limit is one of section 8 or of the decisions", () => {
  const named = specified.flatMap(([, expected]) => Object.keys(expected))
  assert.sameMembers(Object.keys(PublishedLimits.fields), [...named, ...ownLimits])
})

const paced = { ...defaultWebhookTiming, batch: 7, timeout: 250 }
const configured = memoryTestService.pipe(Layer.provideMerge(Layer.succeed(ConfiguredWebhookTiming, paced)))

layer(configured, { excludeTestServices: true })("configured timing of webhooks", (it) => {
  it.effect("The capabilities publish the configured timing of webhooks", () =>
    Effect.gen(function* () {
      const { status, body } = yield* send("GET", "/api/agents/v1/capabilities")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body.limits, publishedLimits(paced))
      assert.strictEqual(body.limits.deliveryTimeoutSeconds, 0.25)
    })
  )
})
