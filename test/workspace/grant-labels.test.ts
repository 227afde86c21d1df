/** Labels of the grant form: they state everything that an action permits. */
import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { actions, guardedActions, isForRole, isGuarded, roles, type Role } from "../../src/access/actions.ts"
import { emptyForm } from "../../src/workspace/kit/fields.ts"
import type { GrantChoices } from "../../src/workspace/access/grant-choices.ts"
import { grantFields } from "../../src/workspace/access/grant-form.ts"
import { render } from "../../src/workspace/kit/html.ts"
import { actionLabels } from "../../src/workspace/kit/labels.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"

const choicesFor = (role: Role, changes: Partial<GrantChoices> = {}): GrantChoices => {
  const ofSide = actions.filter((action) => isForRole(action, role))
  return {
    organizationId: "organization_1",
    organizationName: "Dana Ltd",
    role,
    validUntil: "2030-01-01T00:00:00.000Z" as Instant,
    projects: [],
    proposals: [],
    actions: ofSide.filter((action) => !isGuarded(action)),
    guarded: guardedActions.filter((action) => ofSide.includes(action)),
    withheld: [],
    isRecent: true,
    ...changes
  }
}

const proposalOf = (id: string): GrantChoices["proposals"][number] => ({
  id,
  role: "BUYER",
  organizationId: "organization_1",
  state: "PUBLISHED",
  version: 1,
  publishedVersion: 1,
  digest: "",
  proposalHead: "",
  supplier: { organizationId: "organization_2", actorId: "person_2" },
  recipient: { actorId: "person_1", reference: null },
  projectId: null,
  title: "Logo",
  createdAt: "2026-03-16T09:00:00.000Z" as Instant,
  automation: { revision: 0, paused: false, pausedBy: [] },
  humanUrl: "",
  supplierName: "Sam",
  organizationName: "Sam Ltd"
})

const shown = (choices: GrantChoices): string =>
  render(h("div", null, grantFields(emptyForm, choices, "/workspace/agents/new")))

describe("labels of actions", () => {
  it.each([
    ["REVIEW_DELIVERY", "or reject it, which ends the agreement"],
    ["RESPOND_TERMS", "binds your organization"],
    ["RESPOND_PROPOSAL", "makes an agreement that binds your organization and that the agent then reaches"],
    ["UPDATE_PROPOSAL", "has to be published again"],
    ["WITHDRAW_PROPOSAL", "which ends them"],
    ["REQUEST_DATE_CHANGE", "delivery and review are on hold until a person lifts"],
    ["RAISE_CONCERN", "until people resolve it"]
  ] as const)("The label of %s states its consequence.", (action, expected) => {
    assert.include(actionLabels[action], expected)
  })
})

describe("grant forms", () => {
  it.each(roles)("The form for the %s marks no action as unused.", (role) => {
    const html = shown(choicesFor(role))
    for (const action of choicesFor(role).actions) assert.include(html, actionLabels[action])
    assert.notInclude(html, "not in use")
  })

  it("The form names the actions that the membership withholds.", () => {
    const html = shown(choicesFor("SUPPLIER", { actions: [], withheld: ["WITHDRAW_PROPOSAL"] }))
    assert.include(html, actionLabels.WITHDRAW_PROPOSAL)
  })

  it("A supplier's form states that the agent has access to the proposals that it writes itself.", () => {
    assert.include(
      shown(choicesFor("SUPPLIER")),
      `access only to those that it writes itself, up to ${limits.proposalsPerGrant}`
    )
    assert.notInclude(shown(choicesFor("BUYER")), "that it writes itself")
  })

  it("The form neither calls a guarded action final nor promises that a person decides instead.", () => {
    const html = shown(choicesFor("BUYER"))
    assert.include(html, "<h2>Accepting and issuing</h2>")
    assert.notMatch(html, /Final decisions|part of nothing above|you decide yourself/)
    assert.include(html, "without it the agent cannot do it")
  })

  it("The form states that there are more proposals only where there are.", () => {
    const proposals = Array.from({ length: limits.boxesOnPage }, (_, index) => proposalOf(`proposal_${index}`))
    const expected = `Only the first ${limits.boxesOnPage} are shown.`
    assert.notInclude(shown(choicesFor("BUYER", { proposals })), expected)
    assert.include(shown(choicesFor("BUYER", { proposals, areMoreProposals: true })), expected)
  })

  it("The form states the combined effect of both guarded actions.", () => {
    const expected = "each acceptance issues its record at once and uses one of your organization’s credits"
    assert.include(shown(choicesFor("BUYER")), expected)
    assert.notInclude(shown(choicesFor("BUYER", { guarded: ["CONFIRM_COMPLETION"] })), expected)
  })

  it("The form states that an agent that may write may also hand off to people.", () => {
    for (const role of roles) assert.include(shown(choicesFor(role)), "pauses the agents of both parties")
  })
})
