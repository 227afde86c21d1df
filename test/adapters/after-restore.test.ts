/** A restore undoes the revocations made after the backup; a new epoch invalidates every earlier credential. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { pollConnection, startConnection } from "../../src/access/connections.ts"
import { createGrant, renewGrant, revokeGrant } from "../../src/access/grants.ts"
import { beginEpoch } from "../../src/adapters/after-restore.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { createAssistant } from "../../src/participation/items.ts"
import { acceptParticipation } from "../../src/participation/invitations.ts"
import { acceptMembership, inviteMember } from "../../src/people/invitations.ts"
import { openSession } from "../../src/people/sessions.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"
import { Service } from "../../src/service.ts"
import type { Refusal } from "../../src/vocabulary/refusals.ts"
import { invite } from "../participation/fixtures.ts"
import { installationOn, operator, urlOf, type Environment } from "../support/installation.ts"
import { buyerActions, confirmAgreement, creationInput, makeAgent, makeParty } from "../support/parties.ts"
import { copyOfDatabase, execute, valuesOf } from "../support/postgres.ts"
import { freshService, send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { now } from "../../src/vocabulary/instant.ts"

/** Provides the service and its operations, as in a process with this environment. */
const processOf = (environment: Environment) =>
  Effect.provide(Service.pipe(Layer.provideMerge(operator(environment))), { local: true })

const on = (environment: Environment, connection: ConnectionOptions): Environment => ({
  ...environment,
  DATABASE_URL: urlOf(connection)
})

const codeOf = <A, R>(operation: Effect.Effect<A, Refusal, R>) =>
  Effect.match(operation, { onFailure: ({ code }) => code as string, onSuccess: () => "DONE" })

const me = (token: string) => Effect.map(send("GET", "/api/agents/v1/me", { token }), ({ status }) => status)

const reading = { role: "BUYER" as const, actions: [], consents: [], projectIds: [], subjectRequirements: [] }

const byKim = {
  forgetSecretKey: false,
  operator: { who: "kim", account: "root@host" },
  why: "Monday's backup was restored"
}

const loggedActs = (connection: ConnectionOptions) =>
  valuesOf(connection, "select who, account, why, command, outcome from administration_acts")

/** One of each secret that grants access, none of them used before. */
const everySecret = Effect.gen(function* () {
  const dana = yield* signInNewPerson("Dana")
  const kim = yield* signInNewPerson("Kim")
  const { organizationId } = dana
  const grantRequest = yield* nonIdempotentRequest(dana.personId)
  const grant = { organizationId, agentName: "Scout", ...reading }
  const granted = yield* createGrant(dana, grantRequest, grant)
  const { deviceCode } = yield* startConnection({ agentName: "Courier", client: "courier 1.0" }, undefined)
  const member = yield* inviteMember(dana, yield* nonIdempotentRequest(dana.personId), {
    organizationId,
    authorities: []
  })
  const buyer = yield* makeAgent(dana, "BUYER", buyerActions)
  const supplier = yield* makeParty("Sam")
  const body = creationInput(supplier, yield* confirmAgreement, yield* now)
  const created = yield* send("POST", "/api/agents/v1/projects", { token: buyer.token, body })
  const projectId: string = created.body.project.taskId
  const { code } = yield* invite(dana, projectId, {})
  const { itemId } = yield* acceptParticipation(kim, code)
  const assistant = yield* createAssistant(kim, yield* nonIdempotentRequest(kim.personId), itemId)
  return {
    dana,
    grantRequest,
    grant,
    granted,
    buyer,
    deviceCode,
    projectId,
    code: member.code,
    assistant: assistant.token
  }
})

it.live("After a restore every earlier credential is invalid, and each grant needs a renewal by its authorizer.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      const secrets = yield* everySecret.pipe(processOf(environment))
      const { dana, granted, buyer } = secrets
      yield* execute(connection, [
        "insert into result_orders select 'order_1', project_id, 'record_1', buyer_organization_id, buyer_organization_id," +
          " 'APPROVED', '{}', now() from projects"
      ])
      const [backup, sameBackup] = [yield* copyOfDatabase(connection), yield* copyOfDatabase(connection)]
      const renewalRequest = yield* Effect.flatMap(nonIdempotentRequest(dana.personId), Effect.succeed).pipe(
        processOf(environment)
      )
      const renewal = { grantId: granted.grantId, expectedGeneration: 1 }
      const renewed = yield* Effect.gen(function* () {
        yield* revokeGrant(dana, { grantId: buyer.grantId })
        return yield* renewGrant(dana, renewalRequest, renewal)
      }).pipe(processOf(environment))

      const epochReport = yield* Effect.gen(function* () {
        assert.strictEqual(yield* me(buyer.token), 200, "the backup restores the revoked grant")
        const refused = yield* Effect.flip(beginEpoch(backup, byKim))
        assert.match(refused.message, /^other processes are connected[^\n]+stop them first: countersign from \S/)
      }).pipe(processOf(on(environment, backup)), Effect.andThen(beginEpoch(backup, byKim)))
      assert.deepStrictEqual(yield* loggedActs(backup), [
        ["kim", "root@host", "Monday's backup was restored", "after-restore", "DONE"]
      ])
      assert.deepStrictEqual(epochReport.ended, { sessions: 2, connections: 1, invitations: 1, assistants: 1 })
      const { grantsToRenew, projectsNotPaused, membershipsInForce, sharesOpen, publicationsPublic, ordersToPay } =
        epochReport.check
      assert.strictEqual(grantsToRenew!.count, 2)
      assert.deepInclude(grantsToRenew!.listed[1], {
        grantId: granted.grantId,
        agentName: "Scout",
        authorizerId: dana.personId,
        authorizerName: "Dana"
      })
      assert.deepInclude(projectsNotPaused!.listed[0], { projectId: secrets.projectId })
      assert.deepInclude(ordersToPay!.listed[0], {
        resultOrderId: "order_1",
        state: "APPROVED",
        lastAttemptId: null
      })
      assert.deepStrictEqual(
        [membershipsInForce, sharesOpen, publicationsPublic].map((list) => list!.count),
        [3, 0, 0]
      )

      const renewedAgain = yield* Effect.gen(function* () {
        for (const token of [granted.token, buyer.token, renewed.token]) assert.strictEqual(yield* me(token), 401)
        assert.strictEqual(yield* codeOf(openSession(dana.token)), "SIGN_IN_REQUIRED")
        assert.strictEqual(yield* codeOf(pollConnection(secrets.deviceCode)), "AUTH_INVALID")
        const byOperator = { personId: dana.personId, sessionId: null }
        assert.strictEqual(yield* codeOf(acceptMembership(byOperator, secrets.code)), "INVITATION_UNKNOWN")
        assert.strictEqual((yield* send("GET", "/api/participation/item", { token: secrets.assistant })).status, 401)
        const repeated = createGrant(byOperator, secrets.grantRequest, secrets.grant)
        assert.strictEqual(yield* codeOf(repeated), "SECRET_ALREADY_SHOWN", "a lost response is not recovered")
        // The same request as after the backup: the credential that it created then must be invalid now.
        const renewedAgain = yield* renewGrant(byOperator, renewalRequest, renewal)
        assert.deepInclude(renewedAgain, { grantId: granted.grantId, generation: 2 })
        assert.notStrictEqual(renewedAgain.token, renewed.token)
        assert.deepStrictEqual([yield* me(renewedAgain.token), yield* me(renewed.token)], [200, 401])
        return renewedAgain
      }).pipe(processOf(on(environment, backup)))

      const { epoch } = yield* beginEpoch(sameBackup, byKim)
      assert.notStrictEqual(epoch, epochReport.epoch)
      yield* Effect.gen(function* () {
        const another = yield* renewGrant({ personId: dana.personId, sessionId: null }, renewalRequest, renewal)
        assert.deepStrictEqual([yield* me(another.token), yield* me(renewedAgain.token)], [200, 401])
      }).pipe(processOf(on(environment, sameBackup)))
    })
  )
)

it.live("A process of an earlier epoch serves nothing until it is restarted.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* freshService
      const { environment } = yield* installationOn(connection)
      yield* Effect.gen(function* () {
        const { token } = yield* makeAgent(yield* makeParty("Dana"), "BUYER", buyerActions)
        assert.strictEqual(yield* me(token), 200)
        const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${connection.database}'
          and pid <> pg_backend_pid()`
        yield* execute(connection, [cut])
        yield* beginEpoch(connection, byKim)
        assert.strictEqual(yield* me(token), 503)
        assert.strictEqual(yield* me(token), 503)
      }).pipe(processOf(environment))
    })
  )
)
