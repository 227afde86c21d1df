/** The rows that a fill copies: a few projects, each made by the real program from its draft to its issued record, with webhooks. */
import { Effect } from "effect"
import { readProject, reviewOf, sendCommand, startProject, submissionFor, respondTo } from "../../support/parties.ts"
import { acknowledgingSender, runWorkerPass, subscribeAsAgent } from "../../support/webhooks.ts"
import { createdBody } from "../../support/workspace.ts"

/** Each with parties and grants of its own. Every other one, the first among them, has a subscription and needs a second submission. */
export const makeModels = Effect.fnUntraced(function* (projects: number) {
  for (let index = 0; index < projects; index++) yield* makeModel(index % 2 === 0)
  while ((yield* Effect.provide(runWorkerPass, acknowledgingSender)) > 0);
})

const makeModel = Effect.fnUntraced(function* (isLong: boolean) {
  const started = yield* startProject()
  const { buyerAgent, supplierAgent, projectId } = started
  if (isLong) yield* subscribeAsAgent(buyerAgent.token, [projectId])
  const act = (token: string, operation: string, body: object) =>
    Effect.map(sendCommand(token, projectId, operation, body), (answer) => createdBody(answer))
  let view = yield* act(
    supplierAgent.token,
    "respond",
    respondTo(yield* readProject(supplierAgent.token, projectId), started)
  )
  const rejections = isLong ? 1 : 0
  for (let round = 0; round <= rejections; round++) {
    view = yield* act(supplierAgent.token, "submit", submissionFor(view))
    const decision = round < rejections ? "REQUEST_CHANGES" : "ACCEPT"
    view = yield* act(buyerAgent.token, "review", reviewOf(view, decision))
  }
  const { status } = (yield* readProject(buyerAgent.token, projectId)).project.recordIssuance
  if (status !== "ISSUED") throw new Error(`the record of a model is ${status}`)
})
