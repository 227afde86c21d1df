import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createMembership } from "../../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession, makeUnnamedProject } from "../../support/person-requests.ts"
import { sendCommand, makeAgent, readProject, respondTo, uuid } from "../../support/parties.ts"
import { freshTestService } from "../../support/service.ts"
import { signInNewPerson, type SignedInPerson } from "../../support/sessions.ts"
import { createdBody, outcome, post, read } from "../../support/workspace.ts"

const reasoned = (changes: object = {}) => ({ requestId: uuid(), reason: "To look at it.", ...changes })

const offer = (by: SignedInPerson, projectId: string, requestId = uuid()) =>
  post(by, `/projects/${projectId}/representative-invitations`, { requestId })

const represent = (by: SignedInPerson, code: string, changes: object = {}) =>
  post(by, "/invitations/accept-representation", {
    requestId: uuid(),
    code,
    organizationId: by.organizationId,
    ...changes
  })

const unnamed = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const sam = yield* signInNewPerson("Sam")
  return { dana, sam, projectId: yield* makeUnnamedProject(dana) }
})

/** The same with Sam as the supplier. */
const named = Effect.gen(function* () {
  const world = yield* unnamed
  const { code } = createdBody(yield* offer(world.dana, world.projectId))
  createdBody(yield* represent(world.sam, code))
  return world
})

layer(freshTestService, { excludeTestServices: true })("projects of a person", (it) => {
  it.effect("A person's projects are those of the sides that they represent", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* named
      const otto = yield* signInNewPerson("Otto")
      const [bought] = (yield* read(dana, "/projects")).body.projects
      assert.deepInclude(bought, { projectId, role: "BUYER", organizationId: dana.organizationId })
      assert.deepStrictEqual(bought.automation, { revision: 0, paused: false, pausedBy: [] })
      const [supplied] = (yield* read(sam, "/projects")).body.projects
      assert.deepInclude(supplied, { projectId, role: "SUPPLIER", supplierActorId: sam.personId })
      const { role, organizationId, project, automation } = (yield* read(sam, `/projects/${projectId}`)).body
      assert.deepStrictEqual([role, organizationId], ["SUPPLIER", sam.organizationId])
      assert.deepStrictEqual(
        [project.taskId, project.state, automation],
        [projectId, supplied.state, supplied.automation]
      )
      assert.deepStrictEqual((yield* read(otto, "/projects")).body, { projects: [], next: null })
      for (const id of [projectId, `delivery_${uuid()}`]) {
        assert.deepStrictEqual(outcome(yield* read(otto, `/projects/${id}`)), [403, "FORBIDDEN"])
      }
      assert.strictEqual((yield* read(dana, "/projects/delivery_1")).status, 404)
    })
  )

  it.effect("The supplier is listed as supplier, also as a member of the buyer's organization", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* named
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = dana
      yield* createMembership({ personId: sam.personId, organizationId, authorities: ["DELEGATE"], validUntil })
      const { projects } = (yield* read(sam, "/projects")).body
      assert.deepStrictEqual(
        projects.map((one: any) => [one.projectId, one.role]),
        [[projectId, "SUPPLIER"]]
      )
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("pauses by a person", (it) => {
  it.effect("A pause stops the agents of both sides until that side resumes", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* named
      const agent = yield* makeAgent(sam, "SUPPLIER", ["RESPOND_TERMS"], [projectId])
      const view = yield* readProject(agent.token, projectId)
      const answerTerms = (revision: number) => {
        const body = respondTo(view, { supplier: { ...sam, name: "Sam" } })
        return sendCommand(agent.token, projectId, "respond", { ...body, automationRevision: revision })
      }
      const body = reasoned()
      const paused = yield* post(dana, `/projects/${projectId}/pause`, body)
      assert.strictEqual(paused.status, 200)
      assert.deepInclude(paused.body.automation, { revision: 1, paused: true })
      const { side, by, reason } = paused.body.automation.pausedBy[0]
      assert.deepStrictEqual([side, by, reason], ["BUYER", dana.personId, "To look at it."])
      assert.notProperty(paused.body, "replayed")
      assert.deepStrictEqual(outcome(yield* answerTerms(1)), [409, "AGENT_PAUSED"])
      const again = yield* post(dana, `/projects/${projectId}/pause`, body)
      assert.deepStrictEqual(again.body, { ...paused.body, replayed: true })
      const other = yield* post(dana, `/projects/${projectId}/pause`, { ...body, reason: "Another." })
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
      const elsewhere = yield* post(dana, `/projects/${projectId}/resume`, body)
      assert.deepStrictEqual(outcome(elsewhere), [409, "REQUEST_ID_CONFLICT"])
      const twice = yield* post(dana, `/projects/${projectId}/pause`, reasoned())
      assert.deepStrictEqual(outcome(twice), [409, "STATE_CONFLICT"])
      const theirs = yield* post(sam, `/projects/${projectId}/resume`, reasoned())
      assert.deepStrictEqual(outcome(theirs), [409, "STATE_CONFLICT"])
      assert.lengthOf((yield* read(sam, `/projects/${projectId}`)).body.automation.pausedBy, 1)
      const resumed = createdBody(yield* post(dana, `/projects/${projectId}/resume`, reasoned()))
      assert.deepStrictEqual(resumed.automation, { revision: 2, paused: false, pausedBy: [] })
      assert.strictEqual((yield* answerTerms(2)).status, 200)
    })
  )

  it.effect("A pause needs a party and a reason", () =>
    Effect.gen(function* () {
      const { dana, projectId } = yield* named
      const otto = yield* signInNewPerson("Otto")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = dana
      yield* createMembership({ personId: otto.personId, organizationId, authorities: ["DELIVERY_REVIEW"], validUntil })
      for (const id of [projectId, `delivery_${uuid()}`]) {
        for (const path of ["pause", "resume"]) {
          const answer = yield* post(otto, `/projects/${id}/${path}`, reasoned())
          assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
          assertRefusal(answer)
        }
      }
      for (const reason of ["", "x".repeat(limits.textCharacters + 1), undefined, 1]) {
        const answer = yield* post(dana, `/projects/${projectId}/pause`, reasoned({ reason }))
        assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"])
      }
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("invitations to represent the supplier", (it) => {
  it.effect("An accepted representation binds one person to the agreement by a signed event", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* unnamed
      const requestId = uuid()
      const { code, invitationId } = createdBody(yield* offer(dana, projectId, requestId))
      assert.strictEqual((yield* offer(dana, projectId, requestId)).body.code, code)
      const seen = (yield* post(sam, "/invitations/read", { code })).body
      assert.deepInclude(seen, { kind: "REPRESENTATIVE", projectId, organizationName: "Dana", inviterName: "Dana" })
      assert.hasAllKeys(seen.terms, ["kind", "title", "agreementDigest"])
      const acceptance = { requestId: uuid() }
      const accepted = yield* represent(sam, code, acceptance)
      assert.deepStrictEqual([accepted.status, accepted.body], [200, { projectId }])
      const agent = yield* makeAgent(sam, "SUPPLIER", ["RESPOND_TERMS"], [projectId])
      const { project } = yield* readProject(agent.token, projectId)
      const event = project.events.at(-1)
      assert.deepInclude(event, { kind: "INVITATION_ACCEPTED", ...acceptance })
      assert.deepInclude(event.payload, { invitationId, supplierActorId: sam.personId })
      assert.strictEqual(project.parties.supplier.actorId, sam.personId)
      const again = yield* represent(sam, code, acceptance)
      assert.deepStrictEqual([again.status, again.body], [200, { projectId }])
      const other = yield* represent(sam, code, { ...acceptance, organizationId: dana.organizationId })
      assert.deepStrictEqual(outcome(other), [403, "FORBIDDEN"])
      const mia = yield* signInNewPerson("Mia")
      assert.deepStrictEqual(outcome(yield* represent(mia, code)), [404, "INVITATION_UNKNOWN"])
      assert.deepStrictEqual(outcome(yield* offer(dana, projectId)), [409, "STATE_CONFLICT"])
    })
  )

  it.effect("Of two people accepting concurrently one succeeds, also with two invitations", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* unnamed
      const mia = yield* signInNewPerson("Mia")
      const [one, two] = [createdBody(yield* offer(dana, projectId)), createdBody(yield* offer(dana, projectId))]
      const answers = yield* Effect.all(
        [represent(sam, one.code), represent(mia, one.code), represent(mia, two.code)],
        {
          concurrency: "unbounded"
        }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1
      )
      const sides = [...(yield* read(sam, "/projects")).body.projects, ...(yield* read(mia, "/projects")).body.projects]
      assert.lengthOf(sides, 1)
    })
  )

  it.effect("A concurrent duplicate of an acceptance is accepted once", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* unnamed
      const { code } = createdBody(yield* offer(dana, projectId))
      const requestId = uuid()
      const answers = yield* Effect.all(
        [sam, yield* inAnotherSession(sam)].map((by) => represent(by, code, { requestId })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(outcome), [[200], [200]])
    })
  )

  it.effect("Only the buyer's side invites a representative, and not the buyer", () =>
    Effect.gen(function* () {
      const { dana, sam, projectId } = yield* unnamed
      assert.deepStrictEqual(outcome(yield* offer(sam, projectId)), [403, "FORBIDDEN"])
      assert.deepStrictEqual(outcome(yield* offer(sam, `delivery_${uuid()}`)), [403, "FORBIDDEN"])
      const { code } = createdBody(yield* offer(dana, projectId))
      assert.deepStrictEqual(outcome(yield* represent(dana, code)), [409, "SAME_PARTY"])
      const foreign = yield* represent(sam, code, { organizationId: dana.organizationId })
      assert.deepStrictEqual(outcome(foreign), [403, "FORBIDDEN"])
      assert.strictEqual((yield* represent(sam, code)).status, 200)
    })
  )
})
