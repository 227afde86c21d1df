/** The sides of persons in the agreement of a proposal follow from their acts, not from their grants. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ProjectSides } from "../../src/projects/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import { joinOrganization } from "../support/issued-records.ts"
import {
  authorActions,
  commandProposal,
  handOffOf,
  makeHolder,
  readProposal,
  recipientActions
} from "../support/proposals.ts"
import { freshTestService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import {
  acceptProposalBy,
  setAutomation,
  draftBy,
  addToOrganization,
  peoplePair,
  publishBy,
  createPublishedBy
} from "../support/person-proposals.ts"
import { createdBody, outcome, read } from "../support/workspace.ts"

const projectsOf = (token: string) =>
  Effect.map(send("GET", "/api/agents/v1/me", { token }), ({ body }) => body.projectIds as ReadonlyArray<string>)

const sideIn = Effect.fnUntraced(function* (personId: string, projectId: string) {
  const storage = yield* Storage
  return (yield* storage.view((reader) => reader.get(ProjectSides, [personId, projectId])))?.role
})

layer(freshTestService, { excludeTestServices: true })("the sides in an accepted proposal's agreement", (it) => {
  it.effect(
    "An acceptance links the agreement to the grants of both sides, but not to a grant of the recipient for the author.",
    () =>
      Effect.gen(function* () {
        const pair = yield* peoplePair
        const { supplier, buyer } = pair
        yield* addToOrganization(buyer, supplier)
        const draft = yield* draftBy(pair)
        const proposalIds = [draft.proposal.id as string]
        const asAuthor = { ...buyer, organizationId: supplier.organizationId }
        const authorSideGrant = yield* makeHolder(asAuthor, "SUPPLIER", authorActions, { proposalIds })
        assert.strictEqual((yield* readProposal(authorSideGrant.token, proposalIds[0]!)).status, 200)
        const author = yield* makeHolder(supplier, "SUPPLIER", authorActions, { proposalIds })
        const view = yield* publishBy(pair, draft)
        const recipientGrant = yield* makeHolder(buyer, "BUYER", recipientActions, { proposalIds })
        const projectId = yield* acceptProposalBy(buyer, view, { organizationId: buyer.organizationId })
        assert.deepStrictEqual(yield* projectsOf(authorSideGrant.token), [])
        const path = `/api/agents/v1/projects/${projectId}`
        const refused = yield* send("GET", path, { token: authorSideGrant.token })
        assert.deepStrictEqual(outcome(refused), [403, "FORBIDDEN_AGENT_PROJECT_SCOPE"])
        for (const { token } of [author, recipientGrant]) {
          assert.deepStrictEqual(yield* projectsOf(token), [projectId])
          assert.strictEqual((yield* send("GET", path, { token })).status, 200)
        }
      })
  )

  it.effect("An acceptance does not link the agreement to a grant of the recipient for another organization.", () =>
    Effect.gen(function* () {
      const pair = yield* peoplePair
      const { buyer } = pair
      const { organizationId } = yield* signInNewPerson("Olga")
      yield* addToOrganization(buyer, { organizationId })
      const view = yield* createPublishedBy(pair)
      const proposalIds = [view.proposal.id as string]
      const elsewhere = yield* makeHolder({ ...buyer, organizationId }, "BUYER", recipientActions, { proposalIds })
      yield* acceptProposalBy(buyer, view, { organizationId: buyer.organizationId })
      assert.deepStrictEqual(yield* projectsOf(elsewhere.token), [])
    })
  )

  it.effect(
    "A person who paused or whose agent handed off a proposal for the supplier stays on its side in the agreement.",
    () =>
      Effect.gen(function* () {
        const pair = yield* peoplePair
        const { supplier, buyer } = pair
        const mia = yield* joinOrganization(supplier, "Mia")
        const lee = yield* joinOrganization(supplier, "Lee")
        const idle = yield* joinOrganization(supplier, "Ida")
        const view = yield* createPublishedBy(pair)
        const agent = yield* makeHolder(lee, "SUPPLIER", authorActions, { proposalIds: [view.proposal.id] })
        const toHandOff = handOffOf(createdBody(yield* readProposal(agent.token, view.proposal.id)))
        createdBody(yield* commandProposal(agent.token, view.proposal.id, "handoff", toHandOff))
        createdBody(yield* setAutomation(supplier, view, "resume"))
        createdBody(yield* setAutomation(mia, view, "pause"))
        createdBody(yield* setAutomation(mia, view, "resume"))
        const projectId = yield* acceptProposalBy(buyer, view)
        for (const { personId } of [mia, lee]) assert.strictEqual(yield* sideIn(personId, projectId), "SUPPLIER")
        assert.isUndefined(yield* sideIn(idle.personId, projectId))
        for (const person of [mia, lee, idle]) yield* addToOrganization(person, buyer)
        const roles = yield* Effect.forEach([mia, lee, idle], (person) =>
          Effect.map(read(person, `/projects/${projectId}`), ({ body }) => body.role)
        )
        assert.notInclude(roles.slice(0, 2), "BUYER")
      })
  )
})
