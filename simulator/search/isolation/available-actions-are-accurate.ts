/** In every final state the actions that a view lists are possible, and all others are refused, for every party. */
import type { KeyPurpose } from "../../../src/ports/signer.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import { type WorldFork, refusalOf } from "../world-fork.ts"
import type { Probe } from "./probe.ts"
import { triedOrderActions } from "./order-action-violation.ts"
import { type SampleAction, sampleProjectActions, sampleProposalActions } from "./sample-actions.ts"
import { projectsIn, proposalsIn, forkWithEveryoneSignedIn } from "./expected-authorization.ts"

export const availableActionsAreAccurate: Probe = {
  name: "available actions are accurate",
  says: "An action that the view of a party lists is not refused as impossible, and every other action is refused.",
  findViolation: (root, result) => {
    const fork = forkWithEveryoneSignedIn(root, result)
    if (fork === undefined) return undefined
    for (const party of partiesIn(fork)) {
      for (const { projectId } of projectsIn(fork)) {
        const wrong =
          violationIn(fork, party, projectId, "Project", sampleProjectActions) ??
          publicationViolationIn(fork, party, projectId)
        if (wrong !== undefined) return wrong
      }
      for (const { proposalId } of proposalsIn(fork)) {
        const wrong = violationIn(fork, party, proposalId, "Proposal", sampleProposalActions)
        if (wrong !== undefined) return wrong
      }
    }
    return orderViolationIn(fork)
  }
}

interface Party {
  readonly name: string
  readonly isPerson: boolean
}

const partiesIn = ({ context: { directory } }: WorldFork): ReadonlyArray<Party> => [
  ...[...directory.agents.keys()].map((name) => ({ name, isPerson: false })),
  ...[...directory.people].flatMap(([name, { session }]) => (session === undefined ? [] : [{ name, isPerson: true }]))
]

const violationIn = (
  fork: WorldFork,
  party: Party,
  on: string,
  noun: "Project" | "Proposal",
  moves: ReadonlyArray<SampleAction>
): string | undefined => {
  const reading = `${party.isPerson ? "readOwn" : "read"}${noun}`
  const read = () => fork.act(party.name, reading, on)
  const answer = read()
  const view = answer?.body
  if (refusalOf(answer) !== undefined || !isObject(view)) return undefined
  for (const move of moves) {
    const operation = party.isPerson ? move.byPerson : move.byAgent
    if (operation === undefined) continue
    const input = move.input(view, fromMilliseconds(fork.setup.scheduler.now))
    const refused = fork.withRollback(() => refusalOf(fork.act(party.name, operation, on, input)))
    const wrong = isListed(view, move) ? wronglyListed(fork, refused) : refused === undefined
    if (wrong) return describeViolation(party, operation, move, on, refused)
    // Reads again, since the client state has recorded the answer that was rolled back.
    if (refused === undefined) read()
  }
  return undefined
}

/** The acts that the list of publications has for a person, on the list and on each publication. */
const publicationViolationIn = (fork: WorldFork, { name, isPerson }: Party, projectId: string): string | undefined => {
  const answer = isPerson ? fork.act(name, "listPublications", projectId) : undefined
  const list = answer?.body
  if (refusalOf(answer) !== undefined || !isObject(list)) return undefined
  const publications = listIn(list, "publications").filter(isObject)
  const tried = [
    {
      of: list,
      act: "PROPOSE",
      operation: "proposePublication",
      on: projectId,
      input: { title: "One", summary: "Two" }
    },
    ...publications.flatMap((of) => {
      const on = `${projectId}/${String(of["publicationId"])}`
      return [
        { of, act: "APPROVE", operation: "approvePublication", on, input: {} },
        { of, act: "WITHDRAW", operation: "withdrawPublication", on, input: { reason: "Tried." } }
      ]
    })
  ]
  for (const { of, act, operation, on, input } of tried) {
    const refused = fork.withRollback(() => refusalOf(fork.act(name, operation, on, input)))
    const isListed = listIn(of, "availableActions").includes(act)
    const isWrong = isListed ? wronglyListed(fork, refused, "PUBLICATION") : refused === undefined
    if (isWrong) return describeViolation({ name, isPerson }, operation, { act, decision: null }, on, refused)
  }
  return undefined
}

/** The acts on Result Orders, which people alone have. */
const orderViolationIn = (fork: WorldFork): string | undefined => {
  for (const { name, operation, act, on, isListed, refused } of triedOrderActions(fork)) {
    const signedWith = operation === "offerResultOrder" ? "PACKAGE" : "COMMERCE"
    const isWrong = isListed ? wronglyListed(fork, refused, signedWith) : refused === undefined
    if (isWrong) return describeViolation({ name, isPerson: true }, operation, { act, decision: null }, on, refused)
  }
  return undefined
}

const isListed = (view: JsonObject, { act, decision }: SampleAction): boolean => {
  const isAvailable = listIn(view, "availableActions").includes(act)
  const decisions = listIn(view, "decisionActions")
  if (decision === null || decisions.length === 0) return isAvailable
  return isAvailable && decisions.some((one) => isObject(one) && isFor(one, act, decision) && one["allowed"] === true)
}

const isFor = (one: JsonObject, act: string, decision: string): boolean =>
  one["action"] === act && one["decision"] === decision

const listIn = (view: JsonObject, path: string): ReadonlyArray<Json> => {
  const list = valueAt(view, path)
  return Array.isArray(list) ? list : []
}

/** A refusal of the input does not show that the action is impossible. */
const wronglyListed = (fork: WorldFork, refused: string | undefined, signedWith: KeyPurpose = "EVENT"): boolean => {
  if (refused === undefined) return false
  if (refused === "ISSUER_NOT_CONFIGURED") return fork.context.world.environment.keyPurposes.includes(signedWith)
  const rule = Object.entries(refusals).find(([code]) => code === refused)?.[1]
  return rule === undefined || !("nextAction" in rule) || !aboutInput.has(rule.nextAction)
}

const aboutInput: ReadonlySet<string> = new Set(["CORRECT_REQUEST", "PREVIEW_CONFIRMATION", "READ_LEGAL_CONFIG"])

const describeViolation = (
  { name }: Party,
  operation: string,
  { act, decision }: { readonly act: string; readonly decision: string | null },
  on: string,
  refused: string | undefined
): string => {
  const what = decision === null ? act : `${act} ${decision}`
  return refused === undefined
    ? `${name} can do ${what} on ${on} by ${operation}, and the view does not list it`
    : `${name} sees ${what} on ${on} listed as possible, and is refused ${operation} with ${refused}`
}
