/**
 * A supplier's agent in TypeScript: it accepts the terms that its person has approved, delivers, answers reviews, and stays
 * until the buyer has accepted.
 *
 *     npm run -s simulate -- exam --command "node examples/typescript/supplier-agent.ts"
 *
 * Read it from top to bottom: one step for each state of the project, each from a fresh reading; then what it decides; then
 * how it starts. What makes it safe is in the client: each command is saved before it is sent, sent again as the same bytes,
 * and decided anew from another reading if an event came first.
 */
import { createHash } from "node:crypto"
import type { Decision, Grant } from "../../clients/typescript/client.ts"
import type { ConnectionRequest } from "../../clients/typescript/connect.ts"
import { readEnvironment, receiveWebhooks } from "../../clients/typescript/environment.ts"
import { Refused } from "../../clients/typescript/outcome.ts"
import type { ProjectView } from "../../clients/typescript/person.ts"
import { readHistory, type Subscription } from "../../clients/typescript/webhooks.ts"
import { issueRecord } from "./issue-record.ts"

const environment = readEnvironment(process.env)
const { client, task, person } = environment

// What it asks a person for where it has no token.
const access: ConnectionRequest = {
  agentName: task.agent,
  client: "supplier-agent.ts",
  requestedRole: "SUPPLIER",
  requestedActions: ["RESPOND_TERMS", "SUBMIT_MATERIALS"]
}
// The terms that its person has approved; any where the task names none.
let approved = task.agreementDigest
// A request id that an earlier run saved for the submission: used once, since it may have been used before.
const savedRequestIds = task.requestId === undefined ? [] : [task.requestId]

const deliver = async (projectId: string): Promise<void> => {
  // The job of an earlier grant is not found, which is no proof that its submission failed.
  const mayBeSubmitted = task.job !== undefined && (await client.readJob(task.job)) === undefined
  if (mayBeSubmitted) await person.tell(`I cannot read ${task.job} under this grant.`)
  for (;;) {
    if (task.subscription !== undefined) {
      await readHistory(client, task.subscription, async (event) => console.log(event.type), task.checkpoint)
    }
    const view = await client.readProject(projectId)
    switch (view.project.state) {
      case "AWAITING_SUPPLIER":
        await accept(view)
        break
      case "LOCKED":
      case "CHANGES_REQUESTED":
      case "AWAITING_EVIDENCE":
        // It may still take effect: nothing is sent in its place.
        await (mayBeSubmitted && view.project.submission === null ? client.waitForNews(900) : submit(view))
        break
      case "SUBMITTED":
        await client.waitForNews(900)
        break
      case "SUPERSEDED":
        // Revised terms are another project, which a person grants or not. What was approved are the old terms.
        approved ??= view.project.agreement.digest
        projectId = view.project.successor!.projectId
        if (!(await client.me()).projectIds.includes(projectId)) {
          return person.tell("The terms were revised. Please decide whether I may work under them.", view.humanUrl)
        }
        break
      case "BUYER_CONFIRMED":
      case "SUPPLIER_DECLINED":
        return
      default:
        return person.tell(`The project is ${view.project.state}, which I do not know.`, view.humanUrl)
    }
  }
}

const accept = async (view: ProjectView) => {
  const { taskId, agreement } = view.project
  if ((approved ?? agreement.digest) !== agreement.digest) {
    await person.tell("These are not the terms that you have approved. Please answer them.", view.humanUrl)
    return client.waitUntil(taskId, ({ project }) => project.state !== "AWAITING_SUPPLIER")
  }
  const grant = await client.me()
  return client.commandOrWait(taskId, "respond", (now) =>
    now.project.state === "AWAITING_SUPPLIER" ? acceptanceOf(now, grant) : undefined
  )
}

const acceptanceOf = ({ project }: ProjectView, { delegatedBy }: Grant): Decision<"respond"> => ({
  agreementDigest: project.agreement.digest,
  action: "ACCEPT",
  actorId: delegatedBy,
  actorRole: "SUPPLIER",
  authorityAttested: true,
  reason: "Scope, dates and criteria are as we offered.",
  ...(project.confirmations.respond && { confirmationDigest: project.confirmations.respond.digest })
})

const submit = (view: ProjectView) =>
  client.commandOrWait(view.project.taskId, "submit", ({ project }) => {
    if (!["LOCKED", "CHANGES_REQUESTED", "AWAITING_EVIDENCE"].includes(project.state)) return undefined
    const { submission, review } = project
    const asked = review === null ? "" : ` As asked for: ${String(review["nextAction"])}`
    const savedId = savedRequestIds.pop()
    return {
      ...(savedId !== undefined && { requestId: savedId }),
      agreementDigest: project.agreement.digest,
      previousSubmissionId: submission?.id ?? null,
      respondsToReviewId: review?.id ?? null,
      summary: `What was agreed.${asked}`,
      items: project.criteria.map(({ id, title, requirement }) => ({
        criterionId: id,
        summary: title,
        references: [],
        files: filesFor(id, `${id}: ${requirement}${asked}`)
      }))
    }
  })

// The files stay where they are: what is delivered is their names, sizes and digests.
const filesFor = (criterionId: string, content: string) =>
  task.files
    ?.filter((file) => file.criterionId === criterionId)
    .map(({ name, reference, size, sha256 }) => ({ name, reference, size, sha256 })) ?? [
    {
      name: `${criterionId}.txt`,
      reference: "our archive",
      size: Buffer.byteLength(content),
      sha256: createHash("sha256").update(content).digest("hex")
    }
  ]

const run = async (): Promise<void> => {
  await client.resume()
  await client.connect(access, ({ userCode, verificationUrl }) =>
    person.tell(`Please type ${userCode}.`, verificationUrl)
  )
  const projectId = task.project ?? (await client.me()).projectIds[0]
  if (projectId === undefined) return person.tell("I was given no project.")
  // A webhook ends a wait for news; without one the agent reads from time to time.
  if (task.webhookTarget !== undefined) {
    const eventTypes: Subscription["eventTypes"] = ["changes.requested", "acceptance.decided"]
    await receiveWebhooks(environment, { target: task.webhookTarget, projectIds: [projectId], eventTypes })
  }
  await (task.role === "BUYER" ? issueRecord(client, projectId) : deliver(projectId))
}

await run().catch(async (error: Error) => {
  process.exitCode = 1
  await person.tell(error.message, error instanceof Refused ? error.body.humanUrl : undefined)
})
