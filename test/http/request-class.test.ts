/** Which requests a process refuses first when too many are in flight. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/agents.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { PublicApi } from "../../src/api/public.ts"
import { pageAddresses } from "../support/page-routes.ts"
import { classOf, type RequestClass } from "../../src/http/request-class.ts"

const endpoints: Array<{ readonly method: string; readonly path: string }> = []
for (const api of [Api, WorkspaceApi, PublicApi]) {
  HttpApi.reflect(api as typeof Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => void endpoints.push({ method, path })
  })
}

const pathsOf = (requestClass: RequestClass): ReadonlyArray<string> =>
  endpoints
    .filter(({ method, path }) => classOf(method, path) === requestClass)
    .map(({ path }) => path)
    .toSorted()

it("Every operation that pauses, revokes, withdraws, removes, denies or ends something has the class stop", () => {
  assert.deepStrictEqual(pathsOf("stop"), [
    "/api/acceptance/project-webhooks/:subscriptionId/pause",
    "/api/acceptance/project-webhooks/:subscriptionId/revoke",
    "/api/agents/v1/proposals/:id/withdraw",
    "/api/agents/v1/webhooks/:subscriptionId/pause",
    "/api/agents/v1/webhooks/:subscriptionId/revoke",
    "/api/workspace/account/remove",
    "/api/workspace/connections/:connectionId/deny",
    "/api/workspace/grants/:grantId/revoke",
    "/api/workspace/invitations/:invitationId/revoke",
    "/api/workspace/items/:itemId/credentials/end",
    "/api/workspace/items/:itemId/withdraw",
    "/api/workspace/memberships/:membershipId/end",
    "/api/workspace/organizations/:organizationId/contacts/remove",
    "/api/workspace/projects/:id/pause",
    "/api/workspace/projects/:id/publications/:publicationId/withdraw",
    "/api/workspace/projects/:id/record-shares/:shareId/revoke",
    "/api/workspace/projects/:id/withdraw-confirmation",
    "/api/workspace/proposals/:id/pause",
    "/api/workspace/proposals/:id/withdraw",
    "/api/workspace/result-orders/:orderId/withdraw",
    "/api/workspace/session/end-others",
    "/api/workspace/session/sign-out"
  ])
})

it("A GET whose path ends with the name of a collection has the class list, and other reads have the class read", () => {
  assert.deepStrictEqual(pathsOf("list"), [
    "/api/acceptance/project-webhooks",
    "/api/acceptance/project-webhooks/:subscriptionId/deliveries",
    "/api/agents/v1/jobs",
    "/api/agents/v1/proposals",
    "/api/agents/v1/webhooks",
    "/api/agents/v1/webhooks/:subscriptionId/deliveries",
    "/api/discover",
    "/api/public/providers/:subjectId/publications",
    "/api/workspace/drafts",
    "/api/workspace/grants",
    "/api/workspace/items",
    "/api/workspace/organizations/:organizationId/contacts",
    "/api/workspace/organizations/:organizationId/credits",
    "/api/workspace/organizations/:organizationId/invitations",
    "/api/workspace/organizations/:organizationId/members",
    "/api/workspace/projects",
    "/api/workspace/projects/:id/items",
    "/api/workspace/projects/:id/publications",
    "/api/workspace/projects/:id/record-shares",
    "/api/workspace/projects/:id/result-orders",
    "/api/workspace/proposals",
    "/api/workspace/result-orders",
    "/api/workspace/shared-records"
  ])
  assert.deepStrictEqual(pathsOf("read"), [
    "/api/acceptance/legal-config",
    "/api/acceptance/provider-tasks/:id/result/package",
    "/api/acceptance/tasks/:id/result/package",
    "/api/agents/v1/capabilities",
    "/api/agents/v1/jobs/:jobId",
    "/api/agents/v1/me",
    "/api/agents/v1/projects/:id",
    "/api/agents/v1/projects/:id/exports/result-package",
    "/api/agents/v1/projects/:id/exports/standard-record",
    "/api/agents/v1/projects/:id/record",
    "/api/agents/v1/projects/:id/status",
    "/api/agents/v1/proposals/:id",
    "/api/commerce/orders/:commerceOrderId/record",
    "/api/commerce/orders/:commerceOrderId/status",
    "/api/commerce/result-orders/:resultOrderId/closure",
    "/api/commerce/result-orders/:resultOrderId/closure/status",
    "/api/discover/specifications/:id/versions/:version",
    "/api/participation/item",
    "/api/public/providers/:subjectId/passport",
    "/api/public/providers/:subjectId/passport/status",
    "/api/transactions/:id/result/package",
    "/api/workspace/connections/:connectionId",
    "/api/workspace/drafts/:id",
    "/api/workspace/grants/:grantId",
    "/api/workspace/items/:itemId",
    "/api/workspace/organizations/:organizationId/recipient-account",
    "/api/workspace/presets",
    "/api/workspace/projects/:id",
    "/api/workspace/proposals/:id",
    "/api/workspace/result-orders/:orderId",
    "/api/workspace/session"
  ])
})

it.effect("The forms of people that stop something are stop controls, too", () =>
  Effect.map(pageAddresses, (pages) => {
    const stops = pages.filter(({ method, path }) => classOf(method, path) === "stop").map(({ path }) => path)
    assert.deepStrictEqual(stops.toSorted(), [
      "/workspace/account/end-others",
      "/workspace/account/remove",
      "/workspace/agents/:grantId/revoke",
      "/workspace/callbacks/:subscriptionId/pause",
      "/workspace/callbacks/:subscriptionId/revoke",
      "/workspace/orders/:orderId/withdraw",
      "/workspace/organizations/:organizationId/contacts/remove",
      "/workspace/organizations/:organizationId/invitations/:invitationId/revoke",
      "/workspace/organizations/:organizationId/members/:membershipId/end",
      "/workspace/projects/:projectId/pause",
      "/workspace/projects/:projectId/publications/:publicationId/withdraw",
      "/workspace/projects/:projectId/shares/:shareId/revoke",
      "/workspace/projects/:projectId/tasks/:itemId/withdraw",
      "/workspace/projects/:projectId/withdraw-confirmation",
      "/workspace/proposals/:proposalId/pause",
      "/workspace/proposals/:proposalId/withdraw",
      "/workspace/sign-out",
      "/workspace/tasks/:itemId/assistant/end"
    ])
  })
)

it("A page has the class command, unless it is the form of a stop control", () => {
  const classes = (
    [
      ["GET", "/workspace/projects?state=LOCKED"],
      ["HEAD", "/workspace/webhooks"],
      ["GET", "/workspace/projects/project_1"],
      ["GET", "/workspace/projects/project_1/pause"],
      ["POST", "/workspace/projects/project_1/review"],
      ["POST", "/workspace/projects/project_1/pause"],
      ["POST", "/workspace/agents/grant_1/revoke"],
      ["POST", "/workspace/sign-out"]
    ] as const
  ).map(([method, target]) => classOf(method, target))
  assert.deepStrictEqual(classes, ["command", "command", "command", "command", "command", "stop", "stop", "stop"])
})
