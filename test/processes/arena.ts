/** A place to write in: a buyer and a supplier with an agent each, and projects on which both agents take turns. */
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  buyerActions,
  command,
  confirmAgreement,
  creation,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  reviewOf,
  submissionFor,
  supplierActions
} from "../support/parties.ts"
import { send } from "../support/service.ts"

/** A project as the writers last saw it: they share what they learn. */
export interface Lane {
  readonly projectId: string
  view: any
}

export const makeArena = Effect.fnUntraced(function* (projects: number) {
  const [buyer, supplier] = yield* Effect.all([makeParty("Dana"), makeParty("Sam")], { concurrency: 2 })
  const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions)
  const digest = yield* confirmAgreement
  const today = yield* now
  /** A request of its own each time; to run it again is to send the same once more. */
  const newProject = () => createWith(buyerAgent.token, creation(supplier, digest, today))
  const views = yield* Effect.forEach(Array.from({ length: projects }), () =>
    Effect.map(newProject(), ({ body }) => body)
  )
  const projectIds = views.map((view) => view.project.taskId as string)
  const supplierAgent = yield* makeAgent(supplier, "SUPPLIER", supplierActions, projectIds)
  const lanes = yield* Effect.forEach(
    projectIds,
    (projectId) =>
      Effect.gen(function* () {
        const first = yield* readProject(supplierAgent.token, projectId)
        const { body } = yield* command(supplierAgent.token, projectId, "respond", respondTo(first, { supplier }))
        return { projectId, view: body } as Lane
      }),
    { concurrency: 4 }
  )
  return { buyer, supplier, buyerAgent, supplierAgent, lanes, newProject }
})

export type Arena = Effect.Success<ReturnType<typeof makeArena>>

export const createWith = (token: string, body: unknown) => send("POST", "/api/agents/v1/projects", { token, body })

/** The command that a lane's state asks for next, and whose agent sends it. */
export const nextCommand = ({ buyerAgent, supplierAgent }: Arena, { view }: Lane) =>
  view.project.state === "SUBMITTED"
    ? { token: buyerAgent.token, operation: "review", body: reviewOf(view, "REQUEST_CHANGES") }
    : { token: supplierAgent.token, operation: "submit", body: submissionFor(view) }
