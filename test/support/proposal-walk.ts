/**
 * Random histories of one proposal, sent to the real service: valid and invalid commands of both sides by agents and
 * people, pauses and replays; and the model that predicts each response.
 */
import { Effect } from "effect"
import fc from "fast-check"
import { GrantProjects, Grants } from "../../src/access/store.ts"
import { Storage } from "../../src/ports/storage.ts"
import {
  ProposalAutomationChanges,
  ProposalEvents,
  Proposals,
  ProposalSides,
  ProposalVersions
} from "../../src/proposals/store.ts"
import { Projects } from "../../src/projects/store.ts"
import { uuid } from "./parties.ts"
import { moves, ofAuthor, ofRecipient, table, type Move, type State } from "./proposal-table.ts"
import {
  answerOf,
  authorActions,
  commandProposal,
  createProposal,
  handOffOf,
  addContactFor,
  makeHolder,
  withoutRevision,
  personProposal,
  proposalFor,
  readProposal,
  recipientActions,
  updateOf,
  versionOf
} from "./proposals.ts"
import type { Answer } from "./service.ts"
import { signInNewPerson } from "./sessions.ts"
import { createdBody, outcome, post, read } from "./workspace.ts"

const actors = ["author's agent", "recipient's agent", "author", "recipient"] as const
type Actor = (typeof actors)[number]

type OtherAct = "PAUSE" | "RESUME" | "HANDOFF" | "REPEAT"

/** Possible faults of a command. */
const commandFaults = ["HEAD", "REVISION", "VERSION", "REQUEST_ID"] as const
type CommandFault = (typeof commandFaults)[number]

export interface Step {
  readonly actor: Actor
  readonly act: Move | OtherAct
  readonly spoil: CommandFault | null
  readonly pick: number
}

const own = (actor: Actor): ReadonlyArray<Move> => (actor.startsWith("author") ? ofAuthor : ofRecipient)
const isAgent = (actor: Actor) => actor.endsWith("agent")

const anyAct = (actor: Actor): fc.Arbitrary<Move | OtherAct> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...own(actor)), weight: 12 },
    // Moves that continue a walk are more frequent than moves that end it.
    { arbitrary: fc.constantFrom<Move>("UPDATE", "PUBLISH", "REQUEST_CHANGES"), weight: 6 },
    { arbitrary: fc.constantFrom(...moves), weight: 2 },
    { arbitrary: fc.constant("REPEAT" as const), weight: 4 },
    { arbitrary: fc.constant(isAgent(actor) ? ("HANDOFF" as const) : ("PAUSE" as const)), weight: 1 },
    { arbitrary: fc.constant("RESUME" as const), weight: isAgent(actor) ? 0 : 4 }
  )

const anyStep: fc.Arbitrary<Step> = fc.constantFrom(...actors).chain((actor) =>
  fc.record({
    actor: fc.constant(actor),
    act: anyAct(actor),
    spoil: fc.oneof(
      { arbitrary: fc.constant(null), weight: 5 },
      { arbitrary: fc.constantFrom(...commandFaults), weight: 1 }
    ),
    pick: fc.nat(1_000)
  })
)

export const anyWalk = fc.array(anyStep, { minLength: 6, maxLength: 24, size: "max" })

/** The model's state of a proposal. */
interface Model {
  readonly state: State
  readonly version: number
  readonly published: number | null
  readonly revision: number
  readonly pauses: ReadonlySet<"author" | "recipient">
}

const sideOf = (actor: Actor) => (actor.startsWith("author") ? "author" : "recipient")

/** The predicted response to a step and the state after it; a refusal changes nothing. */
const predict = (model: Model, { actor, act, spoil }: Step): { readonly answer: string; readonly next: Model } => {
  const { state, version, published, revision, pauses } = model
  const refused = (answer: string) => ({ answer, next: model })
  const forbidden = isAgent(actor) ? "FORBIDDEN_AGENT_ACTION" : "FORBIDDEN"
  if (sideOf(actor) === "recipient" && published === null) return refused(forbidden)
  if (act === "PAUSE" || act === "RESUME") {
    if (pauses.has(sideOf(actor)) === (act === "PAUSE")) return refused("STATE_CONFLICT")
    const after = new Set(pauses)
    if (act === "PAUSE") after.add(sideOf(actor))
    else after.delete(sideOf(actor))
    return { answer: "DONE", next: { ...model, revision: revision + 1, pauses: after } }
  }
  if (act !== "HANDOFF" && act !== "REPEAT" && !own(actor).includes(act)) return refused(forbidden)
  if (spoil === "REQUEST_ID") return refused("REQUEST_ID_CONFLICT")
  if (isAgent(actor) && pauses.size > 0) return refused("AGENT_PAUSED")
  if (isAgent(actor) && spoil === "REVISION") return refused("AGENT_CHANGED_REFRESH_REQUIRED")
  if (spoil === "HEAD") return refused("STALE_PROPOSAL_HEAD")
  if (act === "HANDOFF") {
    const after = new Set(pauses).add(sideOf(actor))
    return { answer: "DONE", next: { ...model, revision: revision + 1, pauses: after } }
  }
  if (act === "REPEAT") return refused("DONE")
  if (spoil === "VERSION")
    return refused(ofAuthor.includes(act) ? "PROPOSAL_VERSION_STALE" : "PROPOSAL_DIGEST_MISMATCH")
  const to = table[state][act]
  if (to === "no") return refused("STATE_CONFLICT")
  return {
    answer: "DONE",
    next: {
      ...model,
      state: to,
      version: act === "UPDATE" ? version + 1 : version,
      published: act === "PUBLISH" ? version : published
    }
  }
}

/** Coverage of a walk: moves by state and response. */
export type WalkCoverage = Map<string, number>

const count = (met: WalkCoverage, what: string) => void met.set(what, (met.get(what) ?? 0) + 1)

const begin = Effect.gen(function* () {
  const supplier = yield* signInNewPerson("Sam")
  const buyer = yield* signInNewPerson("Dana")
  yield* addContactFor(supplier, buyer)
  const author = yield* makeHolder(supplier, "SUPPLIER", authorActions)
  const created = createdBody(yield* createProposal(author.token, yield* proposalFor({ supplier, buyer })))
  return { supplier, buyer, author, proposalId: created.proposal.id as string }
})

type World = Effect.Success<typeof begin>

/** Sends every step, compares each response and the stored data with the model, and returns the differences. */
export const runWalk = (steps: ReadonlyArray<Step>, met: WalkCoverage, confirmationDigest: string) =>
  Effect.gen(function* () {
    const world = yield* begin
    let model: Model = { state: "DRAFT", version: 1, published: null, revision: 0, pauses: new Set() }
    let recipientToken: string | undefined
    const done: Array<{
      readonly actor: Actor
      readonly send: Effect.Effect<Answer, never, any>
      readonly id: string
    }> = []
    const wrong: Array<string> = []
    for (const step of steps) {
      const { actor, act } = step
      if (actor === "recipient's agent" && recipientToken === undefined) {
        if (model.published === null) continue
        const grant = { proposalIds: [world.proposalId] }
        recipientToken = (yield* makeHolder(world.buyer, "BUYER", recipientActions, grant)).token
      }
      const before = yield* stored(world)
      if (act === "REPEAT") {
        const repeated = done.filter((one) => one.actor === actor)
        const { send } = repeated[step.pick % repeated.length] ?? {}
        if (send === undefined) continue
        const answer = yield* send
        count(met, `repeated in ${model.state}`)
        if (answer.status !== 200 || answer.body.replayed !== true) wrong.push(`a repetition met ${answer.text}`)
        if ((yield* stored(world)) !== before) wrong.push("a repetition changed something")
        continue
      }
      const used = done.findLast((one) => one.actor === actor)?.id
      const spoil = step.spoil === "REQUEST_ID" && used === undefined ? null : step.spoil
      const { answer: expected, next } = predict(model, { ...step, spoil })
      const token = isAgent(actor) ? (actor.startsWith("author") ? world.author.token : recipientToken!) : undefined
      const { send, id } = yield* prepare(world, token, { ...step, spoil }, used, confirmationDigest)
      const answer = yield* send
      const code = answer.status === 200 ? "DONE" : String(outcome(answer)[1])
      const isMove = act !== "PAUSE" && act !== "RESUME" && act !== "HANDOFF"
      count(met, isMove ? `${model.state} ${act} ${code}` : `${act} ${code}`)
      const said = `${act} by the ${actor} in ${model.state}${spoil === null ? "" : ` with a wrong ${spoil}`}`
      if (code !== expected) wrong.push(`${said}: ${code} and not ${expected}`)
      const after = yield* stored(world)
      if (code !== "DONE" && after !== before) wrong.push(`${said}: refused, and yet something has changed`)
      if (wrong.length > 0) return wrong
      model = next
      if (code === "DONE") done.push({ actor, send, id })
      wrong.push(...(yield* compare(world, model, said)))
    }
    return wrong
  })

/** The command of this actor, from its view, or from the author's view if it cannot read the proposal. */
const prepare = Effect.fnUntraced(function* (
  world: World,
  token: string | undefined,
  { actor, act, spoil }: Step,
  used: string | undefined,
  confirmationDigest: string
) {
  const { author, supplier, buyer, proposalId } = world
  const person = actor.startsWith("author") ? supplier : buyer
  const ofAuthors = (yield* readProposal(author.token, proposalId)).body
  const seen = yield* token === undefined ? read(person, `/proposals/${proposalId}`) : readProposal(token, proposalId)
  const view = seen.status === 200 ? seen.body : ofAuthors
  const id = spoil === "REQUEST_ID" ? used! : uuid()
  if (act === "PAUSE" || act === "RESUME") {
    const body = { requestId: uuid(), reason: "To look at it." }
    const send = post(person, `/proposals/${proposalId}/${act.toLowerCase()}`, body)
    return { id: body.requestId, send }
  }
  const wrongly = {
    ...(spoil === "VERSION" ? { expectedVersion: view.proposal.version + 1, proposalDigest: "0".repeat(64) } : {}),
    requestId: id,
    // A used id is a conflict only if the request differs.
    ...(spoil === "REQUEST_ID" ? { reason: "Another one." } : {})
  }
  const { operation, envelope } = yield* commandOf(world, view, act, confirmationDigest)
  const input = { ...envelope.input, ...pickKnown(envelope.input, wrongly) }
  const body = {
    expectedProposalHead: spoil === "HEAD" ? "0".repeat(64) : envelope.expectedProposalHead,
    automationRevision: spoil === "REVISION" ? envelope.automationRevision + 1 : envelope.automationRevision,
    input
  }
  const send =
    token === undefined
      ? personProposal(person, view, operation, withoutRevision(body))
      : commandProposal(token, proposalId, operation, body)
  return { id, send }
})

const pickKnown = (input: object, changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([member]) => member in input))

const commandOf = Effect.fnUntraced(function* (
  { supplier, buyer }: World,
  view: any,
  act: Move | "HANDOFF" | "REPEAT",
  confirmationDigest: string
) {
  switch (act) {
    case "UPDATE":
      return { operation: "update", envelope: yield* updateOf(view, { supplier, buyer }) }
    case "PUBLISH":
      return { operation: "publish", envelope: versionOf(view) }
    case "WITHDRAW":
      return { operation: "withdraw", envelope: versionOf(view) }
    case "HANDOFF":
    case "REPEAT":
      return { operation: "handoff", envelope: handOffOf(view) }
    default: {
      const changes = act === "ACCEPT" ? { confirmationDigest } : {}
      return { operation: "respond", envelope: yield* answerOf(view, act, changes) }
    }
  }
})

/** All rows that commands on the proposal may write. */
const stored = ({ proposalId, supplier, buyer }: World) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    return yield* storage.view((reader) =>
      Effect.gen(function* () {
        const row = yield* reader.get(Proposals, [proposalId])
        const own = { prefix: [proposalId], limit: 1_000 }
        const holders = (row?.holders ?? []).map(({ grantId }) => grantId)
        const parties = [supplier.personId, supplier.organizationId, buyer.personId, buyer.organizationId]
        return JSON.stringify([
          row,
          yield* reader.range(ProposalVersions, "key", own),
          yield* reader.range(ProposalEvents, "key", own),
          yield* reader.range(ProposalAutomationChanges, "key", own),
          yield* Effect.forEach(parties, (party) => reader.get(ProposalSides, [party, proposalId])),
          yield* Effect.forEach(holders, (grantId) => reader.get(Grants, [grantId])),
          yield* Effect.forEach(holders, (grantId) =>
            reader.range(GrantProjects, "key", { ...own, prefix: [grantId] })
          ),
          row?.projectId == null ? null : yield* reader.get(Projects, [row.projectId])
        ])
      })
    )
  })

/** The author's view agrees with the model. */
const compare = Effect.fnUntraced(function* ({ author, proposalId }: World, model: Model, said: string) {
  const { proposal, automation } = (yield* readProposal(author.token, proposalId)).body
  const found = [proposal.state, proposal.version, proposal.publishedVersion, automation.revision, automation.paused]
  const wanted = [model.state, model.version, model.published, model.revision, model.pauses.size > 0]
  const isAccepted = (proposal.projectId !== null) === (model.state === "ACCEPTED")
  return JSON.stringify(found) === JSON.stringify(wanted) && isAccepted
    ? []
    : [`after ${said}: ${JSON.stringify(found)} and not ${JSON.stringify(wanted)}`]
})
