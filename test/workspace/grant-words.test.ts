/** What the form of a grant says of each action: no less than is granted, and which of them do nothing yet. */
import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { actions, guardedActions, isForRole, isGuarded, roles, type Role } from "../../src/access/actions.ts"
import { agentCapabilities } from "../../src/access/view.ts"
import { emptyForm } from "../../src/workspace/fields.ts"
import type { GrantChoices } from "../../src/workspace/grant-choices.ts"
import { grantFields } from "../../src/workspace/grant-form.ts"
import { render } from "../../src/workspace/html.ts"
import { actionWords } from "../../src/workspace/words.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const choicesFor = (role: Role, changes: Partial<GrantChoices> = {}): GrantChoices => {
  const ofSide = actions.filter((action) => isForRole(action, role))
  return {
    organizationId: "organization_1",
    organizationName: "Dana Ltd",
    role,
    validUntil: "2030-01-01T00:00:00.000Z" as Instant,
    projects: [],
    actions: ofSide.filter((action) => !isGuarded(action)),
    guarded: guardedActions.filter((action) => ofSide.includes(action)),
    withheld: [],
    isRecent: true,
    ...changes
  }
}

const shown = (choices: GrantChoices): string =>
  render(h("div", null, grantFields(emptyForm, choices, "/workspace/agents/new")))

describe("the words of an action", () => {
  it.each([
    ["REVIEW_DELIVERY", "or reject it, which ends the agreement"],
    ["RESPOND_TERMS", "binds your organization"],
    ["RESPOND_PROPOSAL", "binds your organization"],
    ["REQUEST_DATE_CHANGE", "nothing is submitted or reviewed until a person lifts"],
    ["RAISE_CONCERN", "until people resolve it"]
  ] as const)("of %s say what it can bring about", (action, said) => {
    assert.include(actionWords[action], said)
  })
})

describe("the form of a grant", () => {
  it.each(roles)("marks for the %s what this version has no operation for, wherever it stands", (role) => {
    const html = shown(choicesFor(role))
    for (const action of choicesFor(role).actions) {
      const isInUse = agentCapabilities.actions.includes(action)
      const words = actionWords[action]
      const named = html.split(words).length - 1
      const marked = html.split(`${words} (not in use yet)`).length - 1
      assert.isAbove(named, 0, action)
      assert.strictEqual(marked, isInUse ? 0 : named, action)
    }
  })

  it("marks what the membership withholds too", () => {
    assert.include(
      shown(choicesFor("SUPPLIER", { actions: [], withheld: ["WITHDRAW_PROPOSAL"] })),
      `${actionWords.WITHDRAW_PROPOSAL} (not in use yet)`
    )
  })

  it("does not call final what others can be too, nor promise that a person can do what the agent cannot", () => {
    const html = shown(choicesFor("BUYER"))
    assert.include(html, "<h2>Accepting and issuing</h2>")
    assert.notMatch(html, /Final decisions|part of nothing above|you decide yourself/)
    assert.include(html, "leave them empty and the agent cannot")
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
