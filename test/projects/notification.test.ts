/** E-mail notification of the other party: recipients, content, failures. */
import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer, Logger } from "effect"
import { Configuration } from "../../src/adapters/configuration.ts"
import * as MailAdapter from "../../src/adapters/mail.ts"
import { authorities } from "../../src/people/membership.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { createPerson } from "../../src/people/operations.ts"
import { Mail, MailFailure } from "../../src/ports/mail.ts"
import { Storage, StorageUnavailable } from "../../src/ports/storage.ts"
import { readStoredProject, type StoredProject } from "../../src/projects/history.ts"
import { notifyOtherSide } from "../../src/projects/notification.ts"
import { states } from "../../src/projects/project.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import type { HttpApp, Ports } from "../../src/service.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { setEmailAddress, recordEmail } from "../support/recorded-email.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  readProject,
  respondTo,
  reviewOf,
  startProject,
  submissionFor,
  uuid
} from "../support/parties.ts"
import {
  commandAsPerson,
  decisionOf,
  runToDelivered,
  runToLocked,
  materialsOf,
  readProjectAsPerson
} from "../support/person-commands.ts"
import { freePort } from "../support/server.ts"
import { freshService, postgresStorage, send, siteUrl, testService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { headersOf, startMailServer, textOf } from "../support/smtp.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const serviceWith = (mail?: Mail["Service"], logging?: Layer.Layer<never>) =>
  Layer.unwrap(
    Effect.map(freshService, (connection) => testService(postgresStorage(connection), undefined, logging, mail))
  )

/** A new project whose two people have an e-mail address. */
const startReachable = Effect.fnUntraced(function* (changes: object = {}) {
  const started = yield* startProject({ changes })
  yield* setEmailAddress(started.buyer.personId, "dana@example.org")
  yield* setEmailAddress(started.supplier.personId, "sam@example.org")
  return started
})

/** The supplier's agent accepts the terms. */
const respond = Effect.fnUntraced(function* (started: Effect.Success<ReturnType<typeof startProject>>) {
  const { token } = started.supplierAgent
  const body = respondTo(yield* readProject(token, started.projectId), started)
  return { body, answer: yield* sendCommand(token, started.projectId, "respond", body) }
})

/** A mail client for a server at this local port. */
const mailAt = Effect.fnUntraced(function* (port: number) {
  const environment = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "us@example.org" }
  const configuration = Configuration.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
  )
  return yield* Effect.provide(Mail, MailAdapter.layer.pipe(Layer.provide(configuration)))
})

const mailbox = recordEmail()

layer(serviceWith(mailbox), { excludeTestServices: true })("notification of an agent's command", (it) => {
  it.effect("A command sends one e-mail to the other party's person, without any text entered by a party.", () =>
    Effect.gen(function* () {
      const started = yield* startReachable({ title: "canary of a title", scope: "canary of a scope" })
      const { buyerAgent, supplierAgent, projectId } = started
      mailbox.sent.length = 0
      const recipients = () => mailbox.sent.map(({ to }) => to)

      const responded = yield* respond(started)
      assert.deepStrictEqual([responded.answer.status, recipients()], [200, ["dana@example.org"]])
      assert.notProperty(responded.answer.body, "emailUpdate")
      const again = yield* sendCommand(supplierAgent.token, projectId, "respond", responded.body)
      assert.deepInclude(again.body, { replayed: true })
      assert.notProperty(again.body, "emailUpdate")
      assert.strictEqual(mailbox.sent.length, 1, "a replay sends no e-mail")

      const summary = submissionFor(responded.answer.body, { summary: "canary of a summary" })
      const submitted = yield* sendCommand(supplierAgent.token, projectId, "submit", summary)
      assert.strictEqual(submitted.status, 200)
      const view = yield* readProject(buyerAgent.token, projectId)
      assert.notProperty(view, "emailUpdate", "a read sends no e-mail")
      const review = reviewOf(view, "REQUEST_CHANGES", { reason: "canary of a reason" })
      assert.strictEqual((yield* sendCommand(buyerAgent.token, projectId, "review", review)).status, 200)
      assert.deepStrictEqual(recipients(), ["dana@example.org", "dana@example.org", "sam@example.org"])

      for (const { subject, text } of mailbox.sent) {
        assert.include(text, `\n${siteUrl}/workspace/projects/${projectId}\n`)
        assert.notMatch(subject + text, /canary|dda_|Logo|Dana|Sam/)
        assert.notMatch(subject, /[\r\n]/)
      }
      assert.strictEqual(new Set(mailbox.sent.map(({ text }) => text)).size, 3, "each e-mail has its own text")
    })
  )

  it.effect("A refused command sends no e-mail.", () =>
    Effect.gen(function* () {
      const started = yield* startReachable()
      mailbox.sent.length = 0
      const { body } = yield* respond(started)
      const stale = { ...body, input: { ...body.input, requestId: uuid() } }
      const refused = yield* sendCommand(started.supplierAgent.token, started.projectId, "respond", stale)
      assert.deepStrictEqual([refused.status, mailbox.sent.length], [409, 1])
    })
  )

  it.effect("A supplier's command notifies the person who last acted for the buyer.", () =>
    Effect.gen(function* () {
      const started = yield* startReachable()
      const { buyer, supplierAgent, projectId } = started
      const { personId } = yield* createPerson({ name: "Lee", issuer: "https://people.test", subject: uuid() })
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = buyer
      const { membershipId } = yield* createMembership({ personId, organizationId, authorities, validUntil })
      const lee = yield* makeAgent({ ...buyer, personId, membershipId }, "BUYER", buyerActions, [projectId])
      yield* setEmailAddress(personId, "lee@example.org")

      const { answer } = yield* respond(started)
      yield* sendCommand(supplierAgent.token, projectId, "submit", submissionFor(answer.body))
      mailbox.sent.length = 0
      const review = reviewOf(yield* readProject(lee.token, projectId), "REQUEST_CHANGES")
      const changes = yield* sendCommand(lee.token, projectId, "review", review)
      assert.strictEqual(changes.status, 200)
      const next = submissionFor(yield* readProject(supplierAgent.token, projectId))
      assert.strictEqual((yield* sendCommand(supplierAgent.token, projectId, "submit", next)).status, 200)
      assert.deepStrictEqual(
        mailbox.sent.map(({ to }) => to),
        ["sam@example.org", "lee@example.org"]
      )
    })
  )

  it.effect("A command without a known recipient address reports emailUpdate DISABLED.", () =>
    Effect.gen(function* () {
      const started = yield* startReachable()
      yield* setEmailAddress(started.buyer.personId, null)
      mailbox.sent.length = 0
      const { answer } = yield* respond(started)
      assert.deepStrictEqual([answer.status, answer.body.emailUpdate], [200, "DISABLED"])
      const terms = creationInput(started.supplier, yield* confirmAgreement, yield* now, { supplierActorId: undefined })
      const unnamed = yield* send("POST", "/api/agents/v1/projects", { token: started.buyerAgent.token, body: terms })
      assert.deepStrictEqual([unnamed.status, unnamed.body.emailUpdate], [201, "DISABLED"])
      assert.deepStrictEqual(mailbox.sent, [])
    })
  )

  it.effect("The e-mail text differs for each state and for a hold.", () =>
    Effect.gen(function* () {
      const { projectId } = yield* startReachable()
      const storage = yield* Storage
      const stored = (yield* storage.view((reader) => readStoredProject(reader, projectId)))!
      mailbox.sent.length = 0
      const notify = (changes: Partial<StoredProject["project"]>) =>
        notifyOtherSide({ ...stored, project: { ...stored.project, ...changes } }, "BUYER")
      for (const state of states) assert.isUndefined(yield* notify({ state }))
      const hold = { purpose: "DELIVERY", requestedBy: "BUYER", reason: "canary", occurredAt: yield* now } as const
      assert.isUndefined(yield* notify({ state: "LOCKED", hold }))
      assert.strictEqual(new Set(mailbox.sent.map(({ text }) => text)).size, states.length + 1)
      assert.notInclude(mailbox.sent.at(-1)!.text, "canary")
    })
  )

  it.effect("A notification whose address cannot be read fails without an error.", () =>
    Effect.gen(function* () {
      const { projectId } = yield* startReachable()
      const storage = yield* Storage
      const stored = (yield* storage.view((reader) => readStoredProject(reader, projectId)))!
      const unavailable = {
        ...storage,
        view: () => Effect.die(new StorageUnavailable({ reason: "gone", mayBeCommitted: false }))
      }
      const result = notifyOtherSide(stored, "BUYER").pipe(Effect.provideService(Storage, unavailable))
      assert.strictEqual(yield* result, "FAILED")
    })
  )
})

layer(serviceWith(), { excludeTestServices: true })("a service without a mail server", (it) => {
  it.effect("A command without a mail server commits and reports emailUpdate DISABLED.", () =>
    Effect.gen(function* () {
      const started = yield* startReachable()
      assert.strictEqual(started.created.emailUpdate, "DISABLED")
      const { answer } = yield* respond(started)
      assert.deepStrictEqual([answer.body.project.state, answer.body.emailUpdate], ["LOCKED", "DISABLED"])
    })
  )
})

describe("failing e-mail", () => {
  const failing = Effect.fnUntraced(function* (mail: Mail["Service"]) {
    const logs: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void logs.push(line))
    return yield* Effect.gen(function* () {
      const started = yield* startReachable()
      logs.length = 0
      const [took, { answer }] = yield* Effect.timed(respond(started))
      const after = yield* readProject(started.supplierAgent.token, started.projectId)
      assert.deepStrictEqual([answer.status, answer.body.emailUpdate], [200, "FAILED"])
      assert.deepStrictEqual([answer.body.project.state, after.project.state], ["LOCKED", "LOCKED"])
      const warnings = logs.filter((line) => line.includes("notification mail failed"))
      assert.strictEqual(warnings.length, 1)
      assert.include(warnings[0], started.projectId)
      assert.notInclude(logs.join(), "example.org")
      return { took: Duration.toMillis(took), log: warnings[0]! }
    }).pipe(Effect.provide(serviceWith(mail, Logger.layer([logger]))))
  })

  const live = <A, E>(name: string, effect: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
    it.live(name, () => Effect.scoped(effect), 30_000)

  live(
    "A failed e-mail does not affect the committed command, and its reason is logged.",
    Effect.gen(function* () {
      const { log } = yield* failing(recordEmail(Effect.fail(new MailFailure({ reason: "EENVELOPE 550" }))))
      assert.include(log, "EENVELOPE 550")
    })
  )

  live(
    "A notification times out after 3 seconds.",
    Effect.gen(function* () {
      const { took, log } = yield* failing(recordEmail(Effect.never))
      assert.include(log, "timeout")
      assert.isAtLeast(took, limits.mail)
    })
  )

  live(
    "An e-mail to an unreachable server fails, and one to a reachable server is delivered.",
    Effect.gen(function* () {
      yield* failing(yield* mailAt(yield* freePort))
      const { port, received } = yield* startMailServer()
      const sent = yield* Effect.flatMap(startReachable(), respond).pipe(
        Effect.provide(serviceWith(yield* mailAt(port)))
      )
      assert.notProperty(sent.answer.body, "emailUpdate")
      const [email] = received
      assert.strictEqual(headersOf(email!)["to"], "dana@example.org")
      assert.include(textOf(email!), `${siteUrl}/workspace/projects/${sent.answer.body.project.taskId}\r\n`)
    })
  )
})

const beforeSend: { act: Effect.Effect<unknown> } = { act: Effect.void }
const delayedMail = recordEmail(Effect.suspend(() => Effect.asVoid(beforeSend.act)))

layer(serviceWith(delayedMail), { excludeTestServices: true })("notification and ended memberships", (it) => {
  it.effect("After the last actor's membership ends, the person who created the agreement is notified.", () =>
    Effect.gen(function* () {
      const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const lee = yield* signInNewPerson("Lee")
      const validUntil = addMilliseconds(yield* now, 86_400_000)
      const { organizationId } = pair.buyer
      const { membershipId } = yield* createMembership({
        personId: lee.personId,
        organizationId,
        authorities,
        validUntil
      })
      yield* setEmailAddress(lee.personId, "lee@example.org")
      yield* setEmailAddress(pair.buyer.personId, "dana@example.org")
      const projectId = yield* runToDelivered(pair)
      createdBody(
        yield* commandAsPerson(
          lee,
          projectId,
          "review",
          decisionOf(yield* readProjectAsPerson(lee, projectId), "REQUEST_CHANGES")
        )
      )
      yield* endMembership("OPERATOR", { membershipId })
      delayedMail.sent.length = 0
      createdBody(
        yield* commandAsPerson(
          pair.supplier,
          projectId,
          "submit",
          materialsOf(yield* readProjectAsPerson(pair.supplier, projectId))
        )
      )
      assert.deepStrictEqual(
        delayedMail.sent.map(({ to }) => to),
        ["dana@example.org"]
      )
    })
  )

  it.effect(
    "A person whose membership ends during the notification still gets the response to the committed command.",
    () =>
      Effect.gen(function* () {
        const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
        yield* setEmailAddress(pair.buyer.personId, "dana@example.org")
        const projectId = yield* runToLocked(pair)
        const body = materialsOf(yield* readProjectAsPerson(pair.supplier, projectId))
        const context = yield* Effect.context<HttpApp | Ports>()
        beforeSend.act = Effect.provideContext(Effect.orDie(endMembership("OPERATOR", pair.supplier)), context)
        const { project, role } = createdBody(yield* commandAsPerson(pair.supplier, projectId, "submit", body))
        assert.deepStrictEqual([project.state, role], ["SUBMITTED", "SUPPLIER"])
        beforeSend.act = Effect.void
        assert.deepStrictEqual(outcome(yield* commandAsPerson(pair.supplier, projectId, "submit", body)), [
          403,
          "FORBIDDEN"
        ])
      })
  )
})
