/** Two agreements with the same texts are distinguished by data that only this site sets. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { startConnection } from "../../src/access/connections.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { openPage, submit as submitFields } from "../support/forms.ts"
import { formOn, readPage, submit } from "../support/page-forms.ts"
import { confirmAgreement, creationInput, makeAgent, makeParty, uuid } from "../support/parties.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../support/sessions.ts"
import { at } from "../support/time.ts"

const newPath = "/workspace/agents/new"

/** Creates an agreement in the name of this buyer on this day. */
const createAgreementOn = (name: string, day: string, sam: SignedInPerson) =>
  Effect.gen(function* () {
    const buyer = yield* makeParty(name)
    const { token } = yield* makeAgent(buyer, "BUYER", ["CREATE_PROJECT"])
    const body = creationInput(sam, yield* confirmAgreement, `${day}T10:00:00.000Z` as Instant)
    const made = yield* send("POST", "/api/agents/v1/projects", { token, body: { ...body, requestId: uuid() } })
    return made.body.project.taskId as string
  }).pipe(at(`${day}T10:00:00.000Z` as Instant))

layer(freshTestService, { excludeTestServices: true })("agreements with the same texts", (it) => {
  it.effect("Agreements with the same texts differ on every page by id, creator and day.", () =>
    Effect.gen(function* () {
      const friday = "2026-11-20T12:00:00.000Z" as Instant
      const sam = yield* at(friday)(signInNewPerson("Sam"))
      const own = yield* createAgreementOn("Dora", "2026-11-18", sam)
      const forged = yield* createAgreementOn("Mallory", "2026-11-19", sam)
      const form = `${newPath}?organizationId=${sam.organizationId}&role=SUPPLIER`
      const { userCode } = yield* at(friday)(startConnection({ agentName: "Scout", client: "scout" }, undefined))
      const jar = { session: sam.token }
      const entered = yield* at(friday)(submitFields("/workspace/connect", { code: userCode }, jar))
      const consent = `${entered.headers["location"]}?organizationId=${sam.organizationId}&role=SUPPLIER`
      const chosen = { agentName: "Scout", preset: "READ_ONLY", days: "7", projects: [own, forged] }
      const made = yield* at(friday)(
        Effect.flatMap(readPage(sam, form), (page) => submit(sam, formOn(page, newPath), chosen))
      )
      const agent = /href="(\/workspace\/agents\/grant_[^"]*)"/.exec(made.text)?.[1] ?? ""
      for (const address of [form, consent, agent, "/workspace/projects"]) {
        const { text, status } = yield* at(friday)(openPage(address, jar))
        assert.strictEqual(status, 200, address)
        for (const expected of [own, forged, "Dora Ltd", "Mallory Ltd", "18 November 2026", "19 November 2026"]) {
          assert.include(text, expected, address)
        }
        assert.match(text, /own text/, address)
      }
      const { text } = yield* at(friday)(openPage(`/workspace/projects/${forged}`, jar))
      for (const expected of [forged, "Mallory Ltd", ">Mallory<", "19 November 2026", "own text"])
        assert.include(text, expected)
      assert.notInclude(text, "Dora")
    })
  )
})
