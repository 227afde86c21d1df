/**
 * Events that a restored database lacks: the head that a party holds is found, the project is read-only until the operator
 * states the loss, and no number is signed twice.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parseSigned } from "../../src/canonical/jws.ts"
import type { Json } from "../../src/canonical/json.ts"
import { type CheckedPage, checkPage, type Finding, type PassPosition, startOfPass } from "../../src/integrity/pass.ts"
import { Signer } from "../../src/ports/signer.ts"
import { inTransaction, inView } from "../../src/ports/storage/run.ts"
import { exclusive } from "../../src/ports/storage.ts"
import { exportProject } from "../../src/project-export/export.ts"
import { readEvents } from "../../src/projects/history.ts"
import { compareKnownHeads } from "../../src/projects/known-heads.ts"
import { listReadOnlyProjects } from "../../src/projects/listing.ts"
import { beginHistoryEpoch } from "../../src/projects/state-loss.ts"
import { HistoryGaps, ProjectEvents, Projects, type ProjectRow } from "../../src/projects/store.ts"
import { headsIn, newestHeads } from "../../src/records/artifact-heads.ts"
import { grantCredits } from "../../src/records/credits.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { bothStores } from "../support/both-stores.ts"
import {
  commandAsPerson,
  concernOf,
  decisionOf,
  issuanceOf,
  materialsOf,
  readProjectAsPerson,
  runToLocked,
  type Pair
} from "../support/person-commands.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody, options, outcome, post } from "../support/workspace.ts"
import { uuid } from "../support/parties.ts"

const makePair = Effect.gen(function* () {
  return { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") } satisfies Pair
})

const rowOf = (projectId: string) =>
  Effect.map(
    inView((reader) => reader.get(Projects, [projectId])),
    (row) => row!
  )

/** The findings of `admin check` among projects. */
const findingsAbout = Effect.fnUntraced(function* (projectId: string) {
  const findings: Array<Finding> = []
  for (let at: PassPosition | undefined = startOfPass; at?.kind === "projects";) {
    const page: CheckedPage = yield* checkPage(at)
    findings.push(...page.findings)
    at = page.next
  }
  return findings.filter(({ id }) => id === projectId)
})

/** Rows of events never change; a lost database has fewer of them. */
const lossyEvents = { ...ProjectEvents, provesCommit: false }

/** The events after this row are gone, as in a database that is restored to its moment. */
const rollBackTo = ({ projectId, ...columns }: ProjectRow) =>
  inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    for (const { sequence } of yield* readEvents(transaction, projectId, columns.eventCount)) {
      yield* transaction.remove(lossyEvents, [projectId, sequence])
    }
    yield* transaction.update(Projects, [projectId], columns)
  })

const compareWith = Effect.fnUntraced(function* (artifact: Json) {
  const { keys } = yield* Signer
  return yield* compareKnownHeads(newestHeads(headsIn(artifact, keys)))
})

const submit = Effect.fnUntraced(function* ({ supplier }: Pair, projectId: string) {
  const view = yield* readProjectAsPerson(supplier, projectId)
  return yield* commandAsPerson(supplier, projectId, "submit", materialsOf(view))
})

/** The report on a package, with the published keys. */
const verified = Effect.fnUntraced(function* (jws: string) {
  const keys = yield* send("GET", "/.well-known/service-issuer-keys.json")
  const checkedAt = yield* now
  return verifyResultFiles({ artifact: Buffer.from(jws), trust: Buffer.from(keys.text), checkedAt })
})

/** A locked project whose submission, seen by a party, is lost. */
const withLostSubmission = Effect.gen(function* () {
  const pair = yield* makePair
  const projectId = yield* runToLocked(pair)
  const before = yield* rowOf(projectId)
  createdBody(yield* submit(pair, projectId))
  const seen = yield* readProjectAsPerson(pair.buyer, projectId)
  yield* rollBackTo(before)
  return { ...pair, projectId, seen, before }
})

for (const [name, service] of bothStores) {
  describe(name, () => {
    layer(service, { excludeTestServices: true })((it) => {
      it.effect("A project whose known head is gone refuses commands, and reads and pauses continue.", () =>
        Effect.gen(function* () {
          const lost = yield* withLostSubmission
          const { projectId, buyer } = lost
          const [head] = yield* compareWith(lost.seen)
          assert.deepInclude(head, { projectId, sequence: 3, source: "UNSIGNED", outcome: "LOST" })

          const refused = yield* submit(lost, projectId)
          assert.deepStrictEqual(outcome(refused), [409, "PROJECT_READ_ONLY"])
          assert.deepInclude(refused.body, { nextAction: "WAIT_FOR_HUMAN", requiredHumanAction: "ASK_OPERATOR" })
          const view = yield* readProjectAsPerson(lost.supplier, projectId)
          assert.strictEqual(view.project.headEventHash, lost.before.headEventHash)
          assert.notInclude(view.availableActions, "SUBMIT_MATERIALS")
          const blocked = view.blockedActions.find(({ action }: any) => action === "SUBMIT_MATERIALS")
          assert.deepInclude(blocked, { code: "PROJECT_READ_ONLY", nextAction: "WAIT_FOR_HUMAN" })
          const pause = { requestId: uuid(), reason: "Wait for the operator." }
          assert.strictEqual((yield* post(buyer, `/projects/${projectId}/pause`, pause)).status, 200)
        })
      )

      it.effect("A process that has read a head which the database lost signs nothing, and marks the project.", () =>
        Effect.gen(function* () {
          const lost = yield* withLostSubmission
          assert.strictEqual((yield* rowOf(lost.projectId)).lostHead, null)
          const refused = yield* commandAsPerson(
            lost.supplier,
            lost.projectId,
            "submit",
            materialsOf({ ...lost.seen, project: { ...lost.seen.project, submission: null } })
          )
          assert.deepStrictEqual(outcome(refused), [409, "PROJECT_READ_ONLY"])
          const { lostHead } = yield* rowOf(lost.projectId)
          assert.deepStrictEqual(lostHead, {
            sequence: 3,
            eventHash: lost.seen.project.headEventHash,
            epoch: null
          })
          const listed = yield* listReadOnlyProjects({ after: undefined, limit: 100 })
          assert.deepInclude(
            listed.items.find(({ projectId }) => projectId === lost.projectId),
            { lostSequence: 3, source: "PROCESS" }
          )
          yield* beginHistoryEpoch("A failover lost commits.")
          assert.deepStrictEqual((yield* listReadOnlyProjects({ after: undefined, limit: 100 })).items, [])
          createdBody(yield* submit(lost, lost.projectId))
        })
      )

      it.effect("After the statement no published number is signed again, and the verifier explains the gap.", () =>
        Effect.gen(function* () {
          const lost = yield* withLostSubmission
          const { projectId, buyer, supplier } = lost
          yield* compareWith(lost.seen)
          const { epoch, projects } = yield* beginHistoryEpoch("A disk failed.")
          assert.deepInclude(
            projects.find((one) => one.projectId === projectId),
            {
              kept: { sequence: 2, eventHash: lost.before.headEventHash },
              lost: { sequence: 3, eventHash: lost.seen.project.headEventHash }
            }
          )
          const again = yield* compareWith(lost.seen)
          assert.deepStrictEqual(
            again.map((one) => one.outcome),
            ["STATED"]
          )

          createdBody(yield* submit(lost, projectId))
          const submitted = yield* readProjectAsPerson(buyer, projectId)
          const event = submitted.project.events.at(-1)
          assert.deepInclude(event, { sequence: 4, previous: lost.before.headEventHash, kind: "SUBMIT" })
          createdBody(yield* commandAsPerson(buyer, projectId, "review", decisionOf(submitted, "ACCEPT")))
          yield* grantCredits({ organizationId: buyer.organizationId, credits: 1, reference: "test" })
          const accepted = yield* readProjectAsPerson(buyer, projectId)
          createdBody(yield* commandAsPerson(buyer, projectId, "issue-record", issuanceOf(accepted)))

          const file = yield* send("GET", `/api/transactions/${projectId}/result/package`, options(supplier, {}))
          const report = yield* verified(file.text)
          assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0 })
          assert.include(report.limits, "EVENTS_LOST")
          assert.deepInclude(report.completeness.lost?.[0], { after: 2, through: 3, epoch, reason: "A disk failed." })
          assert.isTrue(
            (yield* compareWith(file.text)).every((one) => one.outcome === "KEPT" && one.source === "SIGNED")
          )
          assert.deepStrictEqual(yield* findingsAbout(projectId), [])
          const { rows } = yield* exportProject(projectId)
          assert.lengthOf(rows["history_gaps"]!, 1)
        })
      )

      it.effect("No package is signed about the head of a read-only project until the loss is stated.", () =>
        Effect.gen(function* () {
          const pair = yield* makePair
          const projectId = yield* agreementWithRecord(pair)
          const before = yield* rowOf(projectId)
          const issued = yield* readProjectAsPerson(pair.buyer, projectId)
          createdBody(yield* commandAsPerson(pair.buyer, projectId, "concern", concernOf(issued)))
          const seen = yield* readProjectAsPerson(pair.buyer, projectId)
          yield* rollBackTo(before)
          yield* compareWith(seen)
          const download = send("GET", `/api/acceptance/tasks/${projectId}/result/package`, options(pair.buyer, {}))
          assert.deepStrictEqual(outcome(yield* download), [409, "PROJECT_READ_ONLY"])
          yield* beginHistoryEpoch("A concern was lost.")
          const report = yield* verified((yield* download).text)
          assert.deepInclude(report, { verdict: "VERIFIED_WITH_LIMITATIONS", exit: 0 })
          assert.deepInclude(report.completeness.lost?.[0], {
            after: before.eventCount,
            through: before.eventCount + 1
          })
        })
      )

      it.effect("A second loss before any further event is stated through the newest lost number.", () =>
        Effect.gen(function* () {
          const lost = yield* withLostSubmission
          const { projectId } = lost
          yield* compareWith(lost.seen)
          yield* beginHistoryEpoch("The first restore.")
          const stated = yield* rowOf(projectId)
          createdBody(yield* submit(lost, projectId))
          const seen = yield* readProjectAsPerson(lost.buyer, projectId)
          yield* rollBackTo(stated)
          const [head] = yield* compareWith(seen)
          assert.deepInclude(head, { sequence: 4, outcome: "LOST" })
          yield* beginHistoryEpoch("The second restore.")
          createdBody(yield* submit(lost, projectId))
          const after = yield* readProjectAsPerson(lost.buyer, projectId)
          assert.deepInclude(after.project.events.at(-1), { sequence: 5, previous: lost.before.headEventHash })
          const gaps = yield* inView((reader) => reader.range(HistoryGaps, "key", { prefix: [projectId], limit: 10 }))
          const statements = gaps.map(({ statement }) => parseSigned<any>(statement!))
          assert.deepStrictEqual(
            statements.map(({ kept, lost }) => [kept.sequence, lost.sequence]),
            [
              [2, 3],
              [2, 4]
            ]
          )
        })
      )

      it.effect("An operator without a read-only project is refused, and a head of no project marks none.", () =>
        Effect.gen(function* () {
          const refused = yield* Effect.flip(beginHistoryEpoch("Nothing was lost."))
          assert.strictEqual(refused.code, "STATE_CONFLICT")
          const pair = yield* makePair
          const projectId = yield* runToLocked(pair)
          const view = yield* readProjectAsPerson(pair.buyer, projectId)
          const outcomes = yield* compareWith([
            view,
            { projectId: "delivery_00000000-0000-4000-8000-000000000000", sequence: 1, headEventHash: "0".repeat(64) },
            { projectId, sequence: 101, headEventHash: "0".repeat(64) },
            { schema: "service.agent-status/v1", projectId, headEventHash: "1".repeat(64) }
          ])
          assert.sameMembers(
            outcomes.map((one) => one.outcome),
            ["UNKNOWN_PROJECT", "IMPOSSIBLE_SEQUENCE", "LOST_WITHOUT_SEQUENCE"]
          )
          assert.strictEqual((yield* rowOf(projectId)).lostHead, null)
        })
      )
    })
  })
}
