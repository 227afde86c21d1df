/** Checks that the plain peer answers as the service does, and that each continues what the other has written. */
import * as http from "node:http"
import { canonicalText } from "../../../src/canonical/jcs.ts"
import { nextCommand } from "../../processes/arena.ts"
import { post, type HttpLane } from "../commands/http-commands.ts"

/** Rounds of `submit` and `review`. */
const commands = 4

/** Throws at the first difference; it needs two projects without a submission. */
export const requireEqualAnswers = async (
  service: string,
  peer: string,
  [one, other]: ReadonlyArray<HttpLane>
): Promise<void> => {
  const agent = new http.Agent({ keepAlive: true })
  const send = async (origin: string, { projectId }: HttpLane, command: ReturnType<typeof nextCommand>) => {
    const url = `${origin}/api/agents/v1/projects/${projectId}/${command.operation}`
    const { status, text } = await post(agent, url, command.token, command.body)
    if (status !== 200) throw new Error(`${command.operation} at ${origin} was answered ${status}: ${text}`)
    return text
  }
  for (let turn = 0; turn < commands; turn++) {
    const [first, second] = turn < commands / 2 ? [service, peer] : [peer, service]
    const commandOfOne = nextCommand(one!, one!)
    const commandOfOther = nextCommand(other!, other!)
    const texts = [await send(first, one!, commandOfOne), await send(second, other!, commandOfOther)]
    requireEqual(...(texts.map(withoutRandomValues) as [string, string]))
    const replays = [await send(first, one!, commandOfOne), await send(second, one!, commandOfOne)]
    requireEqual(...(replays as [string, string]))
    one!.view = JSON.parse(texts[0]!)
    other!.view = JSON.parse(texts[1]!)
  }
  agent.destroy()
}

/** The order of members is not promised; white space would be a difference. */
const requireEqual = (one: string, other: string): void => {
  const canonicalOne: string = canonicalText(JSON.parse(one))
  const canonicalOther: string = canonicalText(JSON.parse(other))
  if (canonicalOne === canonicalOther && one.length === other.length) return
  const at = [...canonicalOne].findIndex((character, index) => character !== canonicalOther[index])
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  const difference = `${near(canonicalOne)} and ${near(canonicalOther)}`
  throw new Error(`the plain peer and the service differ at character ${at}: ${difference}`)
}

/** Ids, digests and times differ between two projects. */
const withoutRandomValues = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{64}/g, "<digest>")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, "<instant>")
