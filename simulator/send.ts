/** Sends a request of a step, and gives each party what it learns from the answer. */
import { Effect } from "effect"
import type { Directory } from "./directory.ts"
import { type Doing, type Journey, type Sent, unusable } from "./journey.ts"
import type { Meanwhile } from "./meanwhile.ts"
import { isObject, valueAt, type Json } from "./script/json.ts"
import type { Act } from "./script/scenario.ts"
import { secretsIn } from "./secrets.ts"

/** A request that is lost never arrives; where the answer is lost it did, and its sender cannot know. */
export const send = (sent: Sent, inject: Act["inject"], journey: Journey, meanwhile?: Meanwhile): Doing =>
  Effect.gen(function* () {
    const { world, recorder, directory } = journey
    const { actor, method, path, shows, body } = sent.request
    recorder.observe({ kind: "request", actor, method, path, with: shows, body, lost: inject === "lost-request" })
    if (inject === "lost-request") return undefined
    const answer = yield* world.send(sent.request, meanwhile)
    if (meanwhile?.ended !== undefined) return yield* meanwhile.ended
    for (const { secret, kind } of secretsIn(answer.body ?? null)) {
      recorder.hide(secret, `${kind} of ${kind === "token" ? (sent.handsTo ?? actor) : actor}`)
    }
    const lost = inject === "lost-answer"
    recorder.observe({ kind: "response", actor, status: answer.status, body: answer.body, lost })
    if (meanwhile?.hasHappened === false) return yield* unusable("it ended before anything could happen meanwhile")
    if (lost) return undefined
    if (answer.status < 300) learn(sent, answer.body ?? null, directory)
    return answer
  })

/** An agent keeps its new token, whether it collected it or a person handed it over. */
const learn = ({ operation, request: { actor, body }, handsTo }: Sent, answer: Json, directory: Directory): void => {
  directory.knowledgeOf(actor).learn(operation, answer)
  const person = directory.people.get(actor)
  const credential = operation === "pollConnection" ? valueAt(answer, "credential") : answer
  const agent = operation === "pollConnection" ? actor : handsTo
  if (agent !== undefined && isObject(credential)) {
    const { agentId, grantId, token } = credential
    const role = valueAt(body ?? null, "role")
    directory.addAgent(agent, {
      ...directory.agents.get(agent),
      id: String(agentId),
      grantId: String(grantId),
      token: String(token),
      ...(typeof role === "string" ? { role } : {}),
      ...(person === undefined ? {} : { personId: person.id })
    })
  }
  if (operation === "acceptMembership" && isObject(answer)) {
    const organization = directory.nameOfOrganization(String(answer["organizationId"]))
    if (organization !== undefined) person?.memberships.set(organization, String(answer["membershipId"]))
  }
}
