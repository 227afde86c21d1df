import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { authorities } from "../../../src/people/membership.ts"
import { createMembership } from "../../../src/people/memberships.ts"
import { addMilliseconds, now, type Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { assertRefusal } from "../../support/errors.ts"
import { inAnotherSession, makeUnnamedProject } from "../../support/person-requests.ts"
import { uuid } from "../../support/parties.ts"
import { freshTestService, send } from "../../support/service.ts"
import { signInNewPerson } from "../../support/sessions.ts"
import { at } from "../../support/time.ts"
import { grantInput, createdBody, outcome, post, read } from "../../support/workspace.ts"

const noon = "2026-11-21T12:00:00.000Z" as Instant
const after = (milliseconds: number) => at(addMilliseconds(noon, milliseconds))
const day = 86_400_000

const me = (token: string) => send("GET", "/api/agents/v1/me", { token })

/** Dana at noon, with an unused grant. */
const granted = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const body = grantInput(dana)
  const shown = createdBody(yield* post(dana, "/grants", body))
  return { dana, body, shown, path: `/grants/${shown.grantId}` }
}).pipe(at(noon))

const renewal = (expectedGeneration: number, changes: object = {}) => ({
  requestId: uuid(),
  expectedGeneration,
  ...changes
})

layer(freshTestService, { excludeTestServices: true })("creation of a grant", (it) => {
  it.effect("A new grant returns its token once, and is readable without it", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const projectId = yield* makeUnnamedProject(dana)
      const subjectRequirements = [{ id: "people", statement: "Dana accepts.", humanDecisions: ["ACCEPT"] }]
      const choice = { projectIds: [projectId], actions: ["REVIEW_DELIVERY"], subjectRequirements }
      const answer = yield* post(dana, "/grants", grantInput(dana, choice))
      assert.strictEqual(answer.status, 201)
      const { token, grantId } = answer.body
      assert.hasAllKeys(answer.body, ["token", "grantId", "agentId", "generation", "expiresAt"])
      const unused = (yield* read(dana, `/grants/${grantId}`)).body
      assert.deepInclude(unused, { lastUsedAt: null, isCollected: true, state: "ACTIVE", generation: 1 })
      assert.deepInclude(unused, { ...choice, agentName: "Scout", isParentLive: true, revokedAt: null })
      const agent = (yield* me(token)).body
      assert.deepInclude(agent, { id: grantId, delegatedBy: dana.personId, ...choice })
      const list = yield* read(dana, "/grants")
      const used = list.body.grants.find((one: any) => one.id === grantId)
      assert.isNotNull(used.lastUsedAt)
      assert.notInclude(list.text, "dda_")
      assert.notMatch(list.text, /[0-9a-f]{64}|hash|salt/i)
    })
  )

  it.effect("A replayed creation of a grant returns the same token until its first use, for at most ten minutes", () =>
    Effect.gen(function* () {
      const { dana, body, shown } = yield* granted
      const again = yield* post(dana, "/grants", body).pipe(after(1_000))
      assert.deepStrictEqual([again.status, again.body], [201, shown])
      const elsewhere = yield* inAnotherSession(dana).pipe(after(1_000))
      assert.deepStrictEqual((yield* post(elsewhere, "/grants", body).pipe(after(2_000))).body, shown)
      const late = yield* post(elsewhere, "/grants", body).pipe(after(limits.secretRecovery - 1))
      assert.deepStrictEqual(late.body, shown)
      const other = yield* post(elsewhere, "/grants", { ...body, agentName: "Other" }).pipe(after(2_000))
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
      const tooLate = yield* post(elsewhere, "/grants", body).pipe(after(limits.secretRecovery))
      assert.deepStrictEqual(outcome(tooLate), [409, "SECRET_ALREADY_SHOWN"])
      assertRefusal(tooLate)
      assert.lengthOf((yield* read(elsewhere, "/grants").pipe(after(2_000))).body.grants, 1)
    })
  )

  it.effect("A used token is not returned again", () =>
    Effect.gen(function* () {
      const { dana, body, shown } = yield* granted
      assert.strictEqual((yield* me(shown.token).pipe(after(1_000))).status, 200)
      const again = yield* post(dana, "/grants", body).pipe(after(2_000))
      assert.deepStrictEqual(outcome(again), [409, "SECRET_ALREADY_SHOWN"])
    })
  )

  it.effect("Concurrent creations of one grant create one grant", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const body = grantInput(dana)
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => post(dana, "/grants", body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      assert.strictEqual(new Set(answers.map(({ body }) => body.token)).size, 1)
      assert.lengthOf((yield* read(dana, "/grants")).body.grants, 1)
    })
  )

  it.effect("A grant with guarded actions needs their consents and a recent sign-in", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const guarded = { actions: ["REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"] }
      const both = ["CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"]
      const make = (consents: ReadonlyArray<string>, milliseconds: number, by = dana) =>
        post(by, "/grants", grantInput(dana, { ...guarded, consents })).pipe(after(milliseconds))
      assert.deepStrictEqual(outcome(yield* make([], 0)), [400, "INVALID_REQUEST"])
      assert.deepStrictEqual(outcome(yield* make(["CONFIRM_COMPLETION"], 0)), [400, "INVALID_REQUEST"])
      assert.strictEqual((yield* make(both, limits.recentSignIn - 1)).status, 201)
      const stale = yield* make(both, limits.recentSignIn)
      assert.deepStrictEqual(outcome(stale), [401, "RECENT_SIGN_IN_REQUIRED"])
      assert.strictEqual(stale.body.nextAction, "SIGN_IN_AGAIN")
      const identity = { ...dana.identity, authenticatedAt: addMilliseconds(noon, limits.recentSignIn) }
      const anew = yield* inAnotherSession({ ...dana, identity }).pipe(after(limits.recentSignIn))
      assert.strictEqual((yield* make(both, limits.recentSignIn, anew)).status, 201)
      const plain = yield* post(dana, "/grants", grantInput(dana)).pipe(after(limits.recentSignIn))
      assert.strictEqual(plain.status, 201)
    })
  )

  it.effect("A grant never exceeds its authorizer, its side or thirty days", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana").pipe(at(noon))
      const sam = yield* signInNewPerson("Sam").pipe(at(noon))
      const { organizationId } = dana
      const validUntil = addMilliseconds(noon, 10 * day)
      const join = (authority: string) =>
        createMembership({
          personId: sam.personId,
          organizationId,
          authorities: authorities.filter((one) => one === authority || one === "AGREEMENT_CREATE"),
          validUntil
        }).pipe(at(noon))
      yield* join("DELEGATE")
      const foreign = yield* makeUnnamedProject(sam).pipe(at(noon))
      const refused: ReadonlyArray<readonly [by: typeof dana, changes: object, status: number, code: string]> = [
        [dana, { actions: ["SUBMIT_MATERIALS"] }, 403, "FORBIDDEN"],
        [dana, { projectIds: [foreign] }, 403, "FORBIDDEN"],
        [dana, { projectIds: [`delivery_${uuid()}`] }, 403, "FORBIDDEN"],
        [dana, { organizationId: sam.organizationId }, 404, "UNKNOWN_PARTY"],
        [dana, { organizationId: `organization_${uuid()}` }, 404, "UNKNOWN_PARTY"],
        [dana, { expiresAt: noon }, 400, "INVALID_REQUEST"],
        [dana, { expiresAt: addMilliseconds(noon, 30 * day + 1) }, 400, "INVALID_REQUEST"],
        [sam, { actions: ["REVIEW_DELIVERY"] }, 403, "FORBIDDEN"]
      ]
      for (const [by, changes, status, code] of refused) {
        const answer = yield* post(by, "/grants", grantInput(dana, changes)).pipe(at(noon))
        assert.deepStrictEqual(outcome(answer), [status, code], JSON.stringify(changes))
        assertRefusal(answer)
      }
      const longest = yield* post(dana, "/grants", grantInput(dana)).pipe(at(noon))
      assert.strictEqual(longest.body.expiresAt, addMilliseconds(noon, 30 * day))
      const within = yield* post(sam, "/grants", grantInput(dana)).pipe(at(noon))
      assert.strictEqual(within.body.expiresAt, validUntil)
    })
  )

  it.effect("Presets contain no guarded actions", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const { presets, guardedActions } = (yield* read(dana, "/presets")).body
      assert.deepStrictEqual(
        presets.map(({ role, name }: any) => `${role} ${name}`),
        ["BUYER READ_ONLY", "BUYER REVIEW", "SUPPLIER READ_ONLY", "SUPPLIER SUBMIT"]
      )
      assert.deepStrictEqual(guardedActions, ["CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"])
      const held = presets.flatMap(({ actions }: any) => actions)
      for (const action of guardedActions) assert.notInclude(held, action)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("renewal of a grant", (it) => {
  it.effect("A renewal replaces the token at once and keeps everything else", () =>
    Effect.gen(function* () {
      const { dana, shown, path } = yield* granted
      const before = (yield* me(shown.token).pipe(after(1_000))).body
      const body = renewal(1)
      const renewed = yield* post(dana, `${path}/renew`, body).pipe(after(2_000))
      assert.deepStrictEqual([renewed.status, renewed.body.generation], [200, 2])
      assert.notStrictEqual(renewed.body.token, shown.token)
      assert.deepStrictEqual(outcome(yield* me(shown.token).pipe(after(2_000))), [401, "AUTH_INVALID"])
      const again = yield* post(dana, `${path}/renew`, body).pipe(after(3_000))
      assert.deepStrictEqual(again.body, renewed.body)
      const current = (yield* me(renewed.body.token).pipe(after(3_000))).body
      assert.deepStrictEqual(current, { ...before, expiresAt: renewed.body.expiresAt })
      assert.isAbove(Date.parse(current.expiresAt), Date.parse(before.expiresAt))
      const used = yield* post(dana, `${path}/renew`, body).pipe(after(4_000))
      assert.deepStrictEqual(outcome(used), [409, "SECRET_ALREADY_SHOWN"])
      const other = yield* post(dana, `${path}/renew`, { ...body, expectedGeneration: 2 }).pipe(after(4_000))
      assert.deepStrictEqual(outcome(other), [409, "REQUEST_ID_CONFLICT"])
    })
  )

  it.effect("A renewal can be replayed for ten minutes, unless another one followed", () =>
    Effect.gen(function* () {
      const { dana, path } = yield* granted
      const [first, second] = [renewal(1), renewal(2)]
      const renew = (body: object, milliseconds: number) => post(dana, `${path}/renew`, body).pipe(after(milliseconds))
      const shown = createdBody(yield* renew(first, 0))
      assert.deepStrictEqual((yield* renew(first, limits.secretRecovery - 1)).body, shown)
      assert.deepStrictEqual(outcome(yield* renew(first, limits.secretRecovery)), [409, "SECRET_ALREADY_SHOWN"])
      createdBody(yield* renew(second, 1_000))
      assert.deepStrictEqual(outcome(yield* renew(first, 2_000)), [409, "SECRET_ALREADY_SHOWN"])
      assert.deepStrictEqual(outcome(yield* renew(renewal(1), 2_000)), [409, "GENERATION_STALE"])
    })
  )

  it.effect("Of two concurrent renewals one succeeds, and the other is refused", () =>
    Effect.gen(function* () {
      const { dana, path } = yield* granted
      const answers = yield* Effect.all(
        [1, 2].map(() => post(dana, `${path}/renew`, renewal(1))),
        { concurrency: "unbounded" }
      ).pipe(at(noon))
      assert.deepStrictEqual(answers.map(outcome).sort(), [[200], [409, "GENERATION_STALE"]])
      const { token } = answers.find(({ status }) => status === 200)!.body
      assert.strictEqual((yield* me(token).pipe(at(noon))).status, 200)
      assert.strictEqual((yield* read(dana, path).pipe(at(noon))).body.generation, 2)
    })
  )

  it.effect("A renewal revives an expired grant, never a revoked one", () =>
    Effect.gen(function* () {
      const { dana, path, shown } = yield* granted
      const later = after(31 * day)
      const back = yield* inAnotherSession(dana).pipe(later)
      assert.strictEqual((yield* read(back, path).pipe(later)).body.state, "EXPIRED")
      assert.strictEqual((yield* me(shown.token).pipe(later)).status, 401)
      const { token } = createdBody(yield* post(back, `${path}/renew`, renewal(1)).pipe(later))
      assert.strictEqual((yield* me(token).pipe(later)).status, 200)
      const revoked = createdBody(yield* post(back, `${path}/revoke`).pipe(later))
      assert.deepStrictEqual(revoked, { grantId: shown.grantId, revokedAt: addMilliseconds(noon, 31 * day) })
      assert.strictEqual((yield* me(token).pipe(later)).status, 401)
      const again = yield* post(back, `${path}/revoke`).pipe(after(31 * day + 1_000))
      assert.deepStrictEqual(again.body, revoked)
      const refused = yield* post(back, `${path}/renew`, renewal(2)).pipe(later)
      assert.deepStrictEqual(outcome(refused), [409, "GRANT_REVOKED"])
      assert.strictEqual((yield* read(back, path).pipe(later)).body.state, "REVOKED")
    })
  )

  it.effect("A renewal expires in the future, within thirty days", () =>
    Effect.gen(function* () {
      const { dana, path } = yield* granted
      for (const expiresAt of [noon, addMilliseconds(noon, 30 * day + 1)]) {
        const answer = yield* post(dana, `${path}/renew`, renewal(1, { expiresAt })).pipe(at(noon))
        assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"])
      }
      const expiresAt = addMilliseconds(noon, day)
      const renewed = yield* post(dana, `${path}/renew`, renewal(1, { expiresAt })).pipe(at(noon))
      assert.strictEqual(renewed.body.expiresAt, expiresAt)
    })
  )
})

layer(freshTestService, { excludeTestServices: true })("grants of other persons", (it) => {
  it.effect("A grant of another person is unknown, also within one organization", () =>
    Effect.gen(function* () {
      const { dana, path, shown } = yield* granted
      const sam = yield* signInNewPerson("Sam").pipe(at(noon))
      const { organizationId } = dana
      const validUntil = addMilliseconds(yield* now, 90 * day)
      yield* createMembership({ personId: sam.personId, organizationId, authorities, validUntil }).pipe(at(noon))
      for (const address of [path, `/grants/grant_${uuid()}`]) {
        const answers = [
          yield* read(sam, address).pipe(at(noon)),
          yield* post(sam, `${address}/renew`, renewal(1)).pipe(at(noon)),
          yield* post(sam, `${address}/revoke`).pipe(at(noon))
        ]
        for (const answer of answers) assert.deepStrictEqual(outcome(answer), [404, "UNKNOWN_PARTY"], address)
      }
      assert.strictEqual((yield* me(shown.token).pipe(at(noon))).status, 200)
      assert.lengthOf((yield* read(sam, "/grants").pipe(at(noon))).body.grants, 0)
    })
  )
})
