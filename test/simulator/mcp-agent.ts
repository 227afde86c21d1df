/**
 * A supplier's agent that knows the service only as tools of the Model Context Protocol: it starts `simulate mcp` as its
 * tool server, accepts the terms of its project, delivers, and waits until the buyer has accepted the delivery. A call
 * without an answer is made again with the same arguments.
 *
 * With `--changes-arguments` it breaks this rule: it makes the call again under another request id.
 */
import { createHash, randomUUID } from "node:crypto"
import * as path from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"

const changesArguments = process.argv.includes("--changes-arguments")
const callsMax = 5

const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
)
const client = new Client({ name: "mcp-agent", version: "1" })
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [path.join(import.meta.dirname, "../../simulator/main.ts"), "mcp", "--timeout", "1s"],
    env: environment
  })
)
// The agent has its task from its tool server, as its person wrote it.
const task = JSON.parse(/^Your task: (.*)$/m.exec(client.getInstructions() ?? "")?.[1] ?? "{}")

/** Calls a tool until there is an answer, and returns its body. A refusal ends the agent. */
const call = async (name: string, input: { readonly [member: string]: unknown }): Promise<any> => {
  for (let calls = 1; calls <= callsMax; calls++) {
    const given = calls > 1 && changesArguments ? withRequestId(input) : input
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [block] = content as ReadonlyArray<{ readonly text: string }>
    const answer = JSON.parse(block?.text ?? "{}")
    if (answer.outcome === "UNKNOWN") continue
    if (isError === true) throw new Error(`${name}: ${block?.text}`)
    return answer.body
  }
  throw new Error(`${name} was not answered ${callsMax} times`)
}

const withRequestId = (input: any) =>
  input.input === undefined ? input : { ...input, input: { ...input.input, requestId: randomUUID() } }

/** One decision on one reading. */
const command = (name: string, { project, automation }: any, decided: object) =>
  call(name, {
    id: task.project,
    expectedEventHash: project.headEventHash,
    automationRevision: automation.revision,
    input: { requestId: randomUUID(), agreementDigest: project.agreement.digest, ...decided }
  })

const acceptance = (view: any, me: any) => ({
  action: "ACCEPT",
  actorId: me.delegatedBy,
  actorRole: "SUPPLIER",
  authorityAttested: true,
  reason: "Scope, dates and criteria are as we offered.",
  ...(view.project.confirmations.respond === undefined
    ? {}
    : { confirmationDigest: view.project.confirmations.respond.digest })
})

const submission = ({ project }: any) => ({
  previousSubmissionId: project.submission?.id ?? null,
  respondsToReviewId: project.review?.id ?? null,
  summary: "What was agreed.",
  items: project.criteria.map(({ id, title, requirement }: any) => ({
    criterionId: id,
    summary: title,
    references: [],
    files: [fileOf(id, Buffer.from(`${id}: ${requirement}`))]
  }))
})

const fileOf = (name: string, content: Buffer) => ({
  name: `${name}.txt`,
  reference: "our archive",
  size: content.length,
  sha256: createHash("sha256").update(content).digest("hex")
})

const work = async (): Promise<void> => {
  const me = await call("me", {})
  for (;;) {
    const view = await call("readProject", { id: task.project })
    const { state } = view.project
    if (state === "AWAITING_SUPPLIER") await command("respond", view, acceptance(view, me))
    else if (state === "LOCKED") await command("submit", view, submission(view))
    else if (state === "SUBMITTED") await call("wait", { for: "15m" })
    else if (state === "BUYER_CONFIRMED") return
    else throw new Error(`the project is ${state}`)
  }
}

try {
  await work()
} catch (error) {
  await call("tell", { text: String(error) })
  throw error
} finally {
  await client.close()
}
