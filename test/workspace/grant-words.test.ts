/** What the form of a grant says of each action: no less than is granted. */
import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { actions, guardedActions, isForRole, isGuarded, roles, type Role } from "../../src/access/actions.ts"
import { emptyForm } from "../../src/workspace/fields.ts"
import type { GrantChoices } from "../../src/workspace/grant-choices.ts"
import { grantFields } from "../../src/workspace/grant-form.ts"
import { render } from "../../src/workspace/html.ts"
import { actionWords } from "../../src/workspace/words.ts"
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

describe("the words of an action", () => {
  it.each([
    ["REVIEW_DELIVERY", "or reject it, which ends the agreement"],
    ["RESPOND_TERMS", "binds your organization"],
    ["RESPOND_PROPOSAL", "makes an agreement that binds your organization and that the agent then reaches"],
    ["UPDATE_PROPOSAL", "has to be published again"],
    ["WITHDRAW_PROPOSAL", "which ends them"],
    ["REQUEST_DATE_CHANGE", "nothing is submitted or reviewed until a person lifts"],
    ["RAISE_CONCERN", "until people resolve it"]
  ] as const)("of %s say what it can bring about", (action, said) => {
    assert.include(actionWords[action], said)
  })
})

describe("the form of a grant", () => {
  it.each(roles)("marks nothing for the %s: every action is in use", (role) => {
    const html = shown(choicesFor(role))
    for (const action of choicesFor(role).actions) assert.include(html, actionWords[action])
    assert.notInclude(html, "not in use")
  })

  it("names what the membership withholds", () => {
    const html = shown(choicesFor("SUPPLIER", { actions: [], withheld: ["WITHDRAW_PROPOSAL"] }))
    assert.include(html, actionWords.WITHDRAW_PROPOSAL)
  })

  it("says to a supplier that the agent reaches what it writes itself", () => {
    assert.include(
      shown(choicesFor("SUPPLIER")),
      `reaches those that it writes itself, up to ${limits.proposalsPerGrant}`
    )
    assert.notInclude(shown(choicesFor("BUYER")), "that it writes itself")
  })

  it("does not call final what others can be too, nor promise that a person can do what the agent cannot", () => {
    const html = shown(choicesFor("BUYER"))
    assert.include(html, "<h2>Accepting and issuing</h2>")
    assert.notMatch(html, /Final decisions|part of nothing above|you decide yourself/)
    assert.include(html, "leave them empty and the agent cannot")
  })

  it("says that there are more proposals only where there are", () => {
    const proposals = Array.from({ length: limits.boxesOnPage }, (_, index) => proposalOf(`proposal_${index}`))
    const said = `Only the first ${limits.boxesOnPage} are shown.`
    assert.notInclude(shown(choicesFor("BUYER", { proposals })), said)
    assert.include(shown(choicesFor("BUYER", { proposals, areMoreProposals: true })), said)
  })

  it("says what both guarded actions do together", () => {
    const said = "each acceptance issues its record at once and uses one of your organization’s credits"
    assert.include(shown(choicesFor("BUYER")), said)
    assert.notInclude(shown(choicesFor("BUYER", { guarded: ["CONFIRM_COMPLETION"] })), said)
  })

  it("says that whoever may write may hand over to people", () => {
    for (const role of roles) assert.include(shown(choicesFor(role)), "pauses the agents of both sides")
  })
})
