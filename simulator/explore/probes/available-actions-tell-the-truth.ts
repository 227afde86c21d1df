/** What a view lists as possible is, and what it does not list is refused, for every party wherever a run ends. */
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../../script/json.ts"
import { type Fork, refusalOf } from "../fork.ts"
import type { Probe } from "../probe.ts"
import { type Move, movesOfProjects, movesOfProposals } from "./moves.ts"
import { projectsIn, proposalsIn, forkWithEverybody } from "./standing.ts"

export const availableActionsTellTheTruth: Probe = {
  name: "available actions tell the truth",
  says: "What a party's view lists as possible is not refused as impossible, and everything else is refused.",
  tries: (prepared, attempted) => {
    const fork = forkWithEverybody(prepared, attempted)
    if (fork === undefined) return undefined
    for (const party of partiesIn(fork)) {
      for (const { projectId } of projectsIn(fork)) {
        const wrong = judged(fork, party, projectId, "Project", movesOfProjects)
        if (wrong !== undefined) return wrong
      }
      for (const { proposalId } of proposalsIn(fork)) {
        const wrong = judged(fork, party, proposalId, "Proposal", movesOfProposals)
        if (wrong !== undefined) return wrong
      }
    }
    return undefined
  }
}

interface Party {
  readonly name: string
  readonly isPerson: boolean
}

const partiesIn = ({ journey: { directory } }: Fork): ReadonlyArray<Party> => [
  ...[...directory.agents.keys()].map((name) => ({ name, isPerson: false })),
  ...[...directory.people].flatMap(([name, { session }]) => (session === undefined ? [] : [{ name, isPerson: true }]))
]

const judged = (
  fork: Fork,
  party: Party,
  on: string,
  noun: "Project" | "Proposal",
  moves: ReadonlyArray<Move>
): string | undefined => {
  const reading = `${party.isPerson ? "readOwn" : "read"}${noun}`
  const read = () => fork.act(party.name, reading, on)
  const answer = read()
  const view = answer?.body
  if (refusalOf(answer) !== undefined || !isObject(view)) return undefined
  for (const move of moves) {
    const operation = party.isPerson ? move.byPerson : move.byAgent
    if (operation === undefined) continue
    const input = move.input(view, fromMilliseconds(fork.stage.kernel.now))
    const refused = fork.trying(() => refusalOf(fork.act(party.name, operation, on, input)))
    const wrong = isListed(view, move) ? wronglyListed(fork, refused) : refused === undefined
    if (wrong) return sentenceOf(party, operation, move, on, refused)
    // It has to forget what came of that.
    if (refused === undefined) read()
  }
  return undefined
}

const isListed = (view: JsonObject, { act, decision }: Move): boolean => {
  const isAvailable = listIn(view, "availableActions").includes(act)
  const decided = listIn(view, "decisionActions")
  if (decision === null || decided.length === 0) return isAvailable
  return isAvailable && decided.some((one) => isObject(one) && isFor(one, act, decision) && one["allowed"] === true)
}

const isFor = (one: JsonObject, act: string, decision: string): boolean =>
  one["action"] === act && one["decision"] === decision

const listIn = (view: JsonObject, path: string): ReadonlyArray<Json> => {
  const list = valueAt(view, path)
  return Array.isArray(list) ? list : []
}

/** Whoever sends something else may be let through: that refusal is about what was sent. */
const wronglyListed = (fork: Fork, refused: string | undefined): boolean => {
  if (refused === undefined) return false
  if (refused === "ISSUER_NOT_CONFIGURED") return fork.journey.world.surroundings.keyPurposes.includes("EVENT")
  const rule = Object.entries(refusals).find(([code]) => code === refused)?.[1]
  return rule === undefined || !("nextAction" in rule) || !aboutInput.has(rule.nextAction)
}

const aboutInput: ReadonlySet<string> = new Set(["CORRECT_REQUEST", "PREVIEW_CONFIRMATION", "READ_LEGAL_CONFIG"])

const sentenceOf = (
  { name }: Party,
  operation: string,
  { act, decision }: Move,
  on: string,
  refused: string | undefined
): string => {
  const what = decision === null ? act : `${act} ${decision}`
  return refused === undefined
    ? `${name} can do ${what} on ${on} by ${operation}, and the view does not list it`
    : `${name} sees ${what} on ${on} listed as possible, and is refused ${operation} with ${refused}`
}
