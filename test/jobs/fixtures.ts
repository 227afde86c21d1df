/** Test fixtures: projects with agreed terms, and the job requests of a supplier's agent. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Grants } from "../../src/access/store.ts"
import type { Authority } from "../../src/people/membership.ts"
import { Memberships } from "../../src/people/store.ts"
import { exclusive, Storage } from "../../src/ports/storage.ts"
import { HttpApp } from "../../src/service.ts"
import { assertRefusal } from "../support/errors.ts"
import { sendCommand, readProject, respondTo, startProject, type StartedProject } from "../support/parties.ts"
import { jobOn } from "../support/requests.ts"
import { freshService, postgresStorage, send, testService, type Answer } from "../support/service.ts"
import { outcome } from "../support/workspace.ts"

const jobs = "/api/agents/v1/jobs"

/** A project in LOCKED with the view of the supplier's agent. */
export const agreedProject = Effect.fnUntraced(function* (options: { readonly changes?: object } = {}) {
  const started = yield* startProject(options)
  return { ...started, token: started.supplierAgent.token, view: yield* acceptTerms(started) }
})

export type AgreedProject = Effect.Success<ReturnType<typeof agreedProject>>

const acceptTerms = Effect.fnUntraced(function* (started: StartedProject) {
  const { supplierAgent, projectId } = started
  const view = yield* readProject(supplierAgent.token, projectId)
  yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(view, started))
  return yield* readProject(supplierAgent.token, projectId)
})

export const prepare = (token: string, body: unknown) => send("POST", jobs, { token, body })

export const submit = (token: string, jobId: string, body: unknown = { confirmed: true }) =>
  send("POST", `${jobs}/${jobId}/submit`, { token, body })

export const readJob = (token: string, jobId: string) => send("GET", `${jobs}/${jobId}`, { token })

export const listJobs = (token: string, projectId: string) => send("GET", `${jobs}?projectId=${projectId}`, { token })

/** Prepares a job on the project's current head. */
export const preparedJob = Effect.fnUntraced(function* ({
  token,
  projectId
}: Pick<AgreedProject, "token" | "projectId">) {
  const view = yield* readProject(token, projectId)
  const { status, body } = yield* prepare(token, jobOn(view))
  if (status !== 201) throw new Error(`the job was not prepared: ${JSON.stringify(body)}`)
  return body
})

/** Sets the number of jobs that the grant has prepared. */
export const setJobCount = Effect.fnUntraced(function* (grantId: string, jobCount: number) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("grant", grantId)] }, (transaction) =>
    transaction.update(Grants, [grantId], { jobCount })
  )
})

/** Replaces the authorities of the membership. */
export const setAuthorities = Effect.fnUntraced(function* (
  membershipId: string,
  authorities: ReadonlyArray<Authority>
) {
  const storage = yield* Storage
  yield* storage.transaction({ locks: [exclusive("membership", membershipId)] }, (transaction) =>
    transaction.update(Memberships, [membershipId], { authorities })
  )
})

export const assertOutcome = (answer: Answer, status: number, code: string): void => {
  assert.deepStrictEqual(outcome(answer), [status, code])
  assertRefusal(answer)
}

/** Two services on one database, like two processes; requests alternate between them. */
export const twoServices = Layer.unwrap(
  Effect.map(freshService, (connection) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const build = Layer.build(Layer.fresh(testService(postgresStorage(connection))))
        const [one, other] = [yield* build, yield* build]
        const apps = [Context.get(one, HttpApp), Context.get(other, HttpApp)]
        const storages = [Context.get(one, Storage), Context.get(other, Storage)]
        assert.notStrictEqual(storages[0], storages[1])
        let turn = 0
        return Context.add(
          one,
          HttpApp,
          Effect.suspend(() => apps[turn++ % apps.length]!)
        )
      })
    )
  )
)
