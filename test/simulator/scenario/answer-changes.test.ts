/** Answers that are changed on their way to an actor. */
import { assert, describe, it } from "vitest"
import { withMembers } from "../../../simulator/scenario/answer-changes.ts"
import { LiveSession } from "../../../simulator/scenario/live.ts"
import { defaultWorldDefinition } from "../../../simulator/serve/default-world.ts"
import type { Json } from "../../../simulator/vocabulary/json.ts"

const answer = (body: Json | undefined) => ({ status: 200, body, bytes: new Uint8Array(), headers: {} })

describe("changed answers", () => {
  it.each<[string, Json | undefined, Json]>([
    ["replaces a member", { project: { state: "LOCKED", title: "a" } }, { project: { state: "NEW", title: "a" } }],
    ["adds a member", { project: {} }, { project: { state: "NEW" } }]
  ])("A change %s of the object that holds it, also in the bytes.", (_, body, expected) => {
    const changed = withMembers(answer(body), { "project.state": "NEW" })
    assert.deepStrictEqual(changed.body, expected)
    assert.strictEqual(new TextDecoder().decode(changed.bytes), JSON.stringify(expected))
  })

  it.each<[string, Json | undefined]>([
    ["without that object", { error: "NOT_FOUND" }],
    ["that is no object", "<html>"],
    ["without a body", undefined]
  ])("An answer %s stays as it is.", (_, body) => {
    assert.deepStrictEqual(withMembers(answer(body), { "project.state": "NEW" }), answer(body))
  })

  it("Only the answers to the named actor change, until the operator takes the changes back.", async () => {
    const live = new LiveSession(defaultWorldDefinition, [], { acceptsAnyResponse: true })
    const set = (members: object) => ({ as: "operator", do: "setAnswers", input: { to: "courier", members } })
    for (const agent of ["courier", "porter"]) {
      const input = { agent, role: "SUPPLIER", actions: ["SUBMIT_MATERIALS"] }
      await live.submit({ as: "sam", do: "grantAgent", input }).outcome
    }
    const rolesRead = async () => {
      const read = async (as: string) => (await live.submit({ as, do: "me" }).outcome).answer?.body
      return [await read("courier"), await read("porter")].map((body) => (body as { readonly role: string }).role)
    }
    await live.submit(set({ role: "ARBITER" })).outcome
    assert.deepStrictEqual(await rolesRead(), ["ARBITER", "SUPPLIER"])
    await live.submit(set({})).outcome
    assert.deepStrictEqual(await rolesRead(), ["SUPPLIER", "SUPPLIER"])
  })
})
