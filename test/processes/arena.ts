/** Test data for concurrent writers: a buyer and a supplier with an agent each, and projects on which they take turns. */
import { Effect } from "effect"
import { now } from "../../src/vocabulary/instant.ts"
import {
  buyerActions,
  sendCommand,
  confirmAgreement,
  creationInput,
  makeAgent,
  makeParty,
  readProject,
  respondTo,
  reviewOf,
  submissionFor,
  supplierActions
} from "../support/parties.ts"
import { send } from "../support/service.ts"

/** A project with the newest view that any writer has received. */
export interface Lane {
  readonly projectId: string
  view: any
}

export const makeArena = Effect.fnUntraced(function* (projects: number) {
  const [buyer, supplier] = yield* Effect.all([makeParty("Dana"), makeParty("Sam")], { concurrency: 2 })
  const buyerAgent = yield* makeAgent(buyer, "BUYER", buyerActions)
  const digest = yield* confirmAgreement
  const today = yield* now
  /** A new request each time; running the same effect again repeats the request. */
  const newProject = () => createWith(buyerAgent.token, creationInput(supplier, digest, today))
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
        const { body } = yield* sendCommand(supplierAgent.token, projectId, "respond", respondTo(first, { supplier }))
        return { projectId, view: body } as Lane
      }),
    { concurrency: 4 }
  )
  return { buyer, supplier, buyerAgent, supplierAgent, lanes, newProject }
})

export type Arena = Effect.Success<ReturnType<typeof makeArena>>

export const createWith = (token: string, body: unknown) => send("POST", "/api/agents/v1/projects", { token, body })

/** The tokens of the agents of both sides. */
export interface Agents {
  readonly buyerAgent: { readonly token: string }
  readonly supplierAgent: { readonly token: string }
}

/** The next command in the state of a lane, with the token of its agent. */
export const nextCommand = ({ buyerAgent, supplierAgent }: Agents, { view }: Lane) =>
  view.project.state === "SUBMITTED"
    ? { token: buyerAgent.token, operation: "review", body: reviewOf(view, "REQUEST_CHANGES") }
    : { token: supplierAgent.token, operation: "submit", body: submissionFor(view) }
