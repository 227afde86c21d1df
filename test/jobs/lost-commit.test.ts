/** Connections to Postgres that are lost around the COMMIT of a preparation and of a submission. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readProject } from "../support/parties.ts"
import { cuts, startProxy } from "../support/proxy.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, testService } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, listJobs, prepare, submit } from "./fixtures.ts"

it.live("A connection lost around COMMIT leaves exactly one job and one submission, and a retry is a replay.", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const proxy = yield* startProxy(yield* freshService)
      yield* Effect.gen(function* () {
        for (const cut of cuts) {
          const { token, view, projectId } = yield* agreedProject()
          /** Cuts the connection at the next COMMIT of a write. */
          const cutNext = () => {
            proxy.chooseCut = (ends) => {
              if (ends === "view") return undefined
              proxy.chooseCut = () => undefined
              return cut
            }
          }
          const body = jobOn(view)
          cutNext()
          const job = createdBody(yield* prepare(token, body))
          assert.strictEqual(proxy.cutCounts[cut], 1, cut)
          assert.notProperty(job, "replayed")
          assert.deepStrictEqual((yield* prepare(token, body)).body, { ...job, replayed: true }, cut)
          cutNext()
          const sent = createdBody(yield* submit(token, job.jobId))
          assert.strictEqual(proxy.cutCounts[cut], 2, cut)
          assert.deepStrictEqual([sent.state, sent.replayed], ["SUBMITTED", undefined], cut)
          const again = createdBody(yield* submit(token, job.jobId))
          assert.deepStrictEqual([again.submissionId, again.replayed], [sent.submissionId, true], cut)
          const { project } = yield* readProject(token, projectId)
          const submissions = project.events.filter(({ kind }: { kind: string }) => kind === "SUBMIT")
          assert.deepStrictEqual(
            submissions.map(({ payload }: any) => payload.submissionId),
            [sent.submissionId],
            cut
          )
          assert.lengthOf((yield* listJobs(token, projectId)).body.jobs, 1)
        }
      }).pipe(Effect.provide(testService(postgresStorage(proxy.connection))))
    })
  )
)
