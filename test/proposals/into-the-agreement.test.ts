/** On which side somebody goes from a proposal into its agreement: what they did, and not what they hold. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ProjectSides } from "../../src/projects/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { join } from "../support/issued.ts"
import {
  authorActions,
  commandProposal,
  handOffOf,
  makeHolder,
  readProposal,
  recipientActions
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"
import { acceptedBy, automate, draftBy, joins, peoplePair, publishBy, shownBy } from "../support/shown-proposals.ts"
import { made, outcome, read } from "../support/workspace.ts"

const projectsOf = (token: string) =>
  Effect.map(send("GET", "/api/agents/v1/me", { token }), ({ body }) => body.projectIds as ReadonlyArray<string>)

const sideIn = Effect.fnUntraced(function* (personId: string, projectId: string) {
  const storage = yield* Storage
  return (yield* storage.view((reader) => reader.get(ProjectSides, [personId, projectId])))?.role
})

layer(freshTestService, { excludeTestServices: true })("an acceptance", (it) => {
  it.effect("opens the agreement to no grant of the recipient's for the author, and to those of both sides", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { supplier, buyer } = pair
      yield* joins(buyer, supplier)
      const draft = yield* draftBy(pair)
      const proposalIds = [draft.proposal.id as string]
      const asAuthor = { ...buyer, organizationId: supplier.organizationId }
      const stranded = yield* makeHolder(asAuthor, "SUPPLIER", authorActions, { proposalIds })
      assert.strictEqual((yield* readProposal(stranded.token, proposalIds[0]!)).status, 200)
      const author = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds })
      const view = yield* publishBy(pair, draft)
      const beside = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds })
      const projectId = yield* acceptedBy(buyer, view, { organizationId: buyer.organizationId })
      assert.deepStrictEqual(yield* projectsOf(stranded.token), [])
      const path = `/api/agents/v1/projects/${projectId}`
      const out = yield* send("GET", path, { token: stranded.token })
      assert.deepStrictEqual(outcome(out), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
      for (const { token } of [author, beside]) {
        assert.deepStrictEqual(yield* projectsOf(token), [projectId])
        assert.strictEqual((yield* send("GET", path, { token })).status, 200)
      }
    })
  )

  it.effect("opens it to no grant of the recipient for another of their organizations", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { buyer } = pair
      const { organizationId } = yield* signInAnew("Olga")
      yield* joins(buyer, { organizationId })
      const view = yield* shownBy(pair)
      const proposalIds = [view.proposal.id as string]
      const elsewhere = yield* makeHolder({ ...buyer, organizationId }, "BUYER", recipientActions, { proposalIds })
      yield* acceptedBy(buyer, view, { organizationId: buyer.organizationId })
      assert.deepStrictEqual(yield* projectsOf(elsewhere.token), [])
    })
  )

  it.effect("takes whoever only paused, or handed over, for the supplier for good", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { supplier, buyer } = pair
      const mia = yield* join(supplier, "Mia")
      const lee = yield* join(supplier, "Lee")
      const idle = yield* join(supplier, "Ida")
      const view = yield* shownBy(pair)
      const agent = yield* makeHolder(lee, "SUPPLIER", authorActions, { proposalIds: [view.proposal.id] })
      const toHandOff = handOffOf(made(yield* readProposal(agent.token, view.proposal.id)))
      made(yield* commandProposal(agent.token, view.proposal.id, "handoff", toHandOff))
      made(yield* automate(supplier, view, "resume"))
      made(yield* automate(mia, view, "pause"))
      made(yield* automate(mia, view, "resume"))
      const projectId = yield* acceptedBy(buyer, view)
      for (const { personId } of [mia, lee]) assert.strictEqual(yield* sideIn(personId, projectId), "SUPPLIER")
      assert.isUndefined(yield* sideIn(idle.personId, projectId))
      for (const person of [mia, lee, idle]) yield* joins(person, buyer)
      const roles = yield* Effect.forEach([mia, lee, idle], (person) =>
        Effect.map(read(person, `/projects/${projectId}`), ({ body }) => body.role)
      )
      assert.notInclude(roles.slice(0, 2), "BUYER")
    })
  )
})
