/** Every way in which somebody may stop something in a world, from the table of moves and who may do what there. */
import { Grants } from "../../../src/access/store.ts"
import type { Agreement } from "../../../src/projects/agreement.ts"
import { concernKinds } from "../../../src/projects/event.ts"
import { canMove, type MoveName, revisionMoveFrom } from "../../../src/projects/project.ts"
import type { ProjectRow } from "../../../src/projects/store.ts"
import { canMoveProposal } from "../../../src/proposals/proposal.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { asJson, type JsonObject, valueAt } from "../../script/json.ts"
import type { Fork } from "../fork.ts"
import { datesAhead } from "./moves.ts"
import {
  agentsThatReach,
  type Holder,
  type Member,
  membersOfProject,
  membersOfProposal,
  projectsIn,
  proposalsIn
} from "./standing.ts"

/** One person or agent, and one way in which they stop something. */
export interface Brake {
  readonly actor: string
  /** Read first, so that nothing is planned from what was known before. */
  readonly read?: string
  readonly operation: string
  readonly on?: string
  readonly input?: JsonObject
  /** What has to go after it, where that is only half of it. */
  readonly next?: (answer: JsonObject) => Brake | undefined
}

export const brakesIn = (fork: Fork): ReadonlyArray<Brake> => [
  ...brakesOfProjects(fork),
  ...brakesOfProposals(fork),
  ...brakesOfGrants(fork)
]

const reason = { reason: "This has to stop." }

const brakesOfProjects = (fork: Fork): ReadonlyArray<Brake> =>
  projectsIn(fork).flatMap((row) => {
    const members = membersOfProject(fork, row)
    return [
      ...members.flatMap((member) => brakesOfMember(fork, row, member, members)),
      ...agentsThatReach(fork, row.projectId).flatMap((agent) =>
        mayHandOff(row, agent)
          ? [{ actor: agent.name, read: "readProject", operation: "handoff", on: row.projectId, input: reason }]
          : []
      )
    ]
  })

const mayHandOff = (row: ProjectRow, { side, personId, organizationId }: Holder): boolean =>
  row.pauses.length === 0 &&
  (side === "SUPPLIER"
    ? personId === row.supplierActorId && organizationId === (row.supplierOrganizationId ?? organizationId)
    : personId !== row.supplierActorId && organizationId === row.buyerOrganizationId)

/** What the table of moves and a membership let a person do. */
const brakesOfMember = (
  fork: Fork,
  row: ProjectRow,
  member: Member,
  members: ReadonlyArray<Member>
): ReadonlyArray<Brake> => {
  const { name: actor, side, may, speaks } = member
  const on = row.projectId
  const read = "readOwnProject"
  const can = (move: MoveName) => speaks && canMove(row.state, move) && hasRoomFor(row, move)
  const brakes: Array<Brake> = []
  if (may("DELEGATE") && !row.pauses.some((pause) => pause.side === side)) {
    brakes.push({ actor, read, operation: "pauseProject", on, input: reason })
  }
  if (can("CONCERN") && may(side === "BUYER" ? "DELIVERY_REVIEW" : "MATERIALS_SUBMIT")) {
    brakes.push({ actor, read, operation: "raiseConcern", on, input: { kind: concernKinds[0], ...reason } })
  }
  if (side === "BUYER" && may("COMPLETION_CONFIRM")) {
    if (can("WITHDRAW_CONFIRMATION")) brakes.push({ actor, read, operation: "withdrawConfirmation", on, input: reason })
    if (can("UPHOLD_CONCERN")) {
      brakes.push({ actor, read, operation: "resolveConcern", on, input: { resolution: "UPHELD", ...reason } })
    }
  }
  const move = revisionMoveFrom(row.state)
  if (side === "BUYER" && may("AGREEMENT_CREATE") && can(move) && !hasOpenRevision(fork, row)) {
    brakes.push(revision(fork, row, actor, move === "OFFER_REVISION" ? accepterOf(members) : undefined))
  }
  return brakes
}

/** The last two places of a history are kept for what ends a project. */
const hasRoomFor = ({ eventCount }: ProjectRow, move: MoveName): boolean =>
  move === "OFFER_REVISION" || eventCount < limits.eventsPerProject - (ending.has(move) ? 0 : limits.eventsReserved)

const ending: ReadonlySet<MoveName> = new Set(["REPLACE_TERMS", "WITHDRAW_CONFIRMATION", "UPHOLD_CONCERN"])

const hasOpenRevision = (fork: Fork, { revisionProjectId }: ProjectRow): boolean =>
  projectsIn(fork).some(
    ({ projectId, state }) =>
      projectId === revisionProjectId && (state === "AWAITING_SUPPLIER" || state === "AGREEMENT_CHANGES_REQUESTED")
  )

/** Other terms, with dates that lie ahead; where the terms were agreed on, they end once the supplier accepts. */
const revision = (fork: Fork, row: ProjectRow, actor: string, accepter: Member | undefined): Brake => {
  const { terms } = JSON.parse(row.agreement) as Agreement
  const ahead = datesAhead({ project: { agreement: asJson(terms) } }, fromMilliseconds(fork.stage.kernel.now))
  return {
    actor,
    read: "readOwnProject",
    operation: "reviseProject",
    on: row.projectId,
    input: { terms: ahead, ...reason },
    next: (answer) => {
      const on = valueAt(answer, "project.taskId")
      if (accepter === undefined || typeof on !== "string" || on === row.projectId) return undefined
      const input = { action: "ACCEPT", ...reason }
      return { actor: accepter.name, read: "readOwnProject", operation: "respondAsPerson", on, input }
    }
  }
}

const accepterOf = (members: ReadonlyArray<Member>): Member | undefined =>
  members.find(({ side, speaks, may }) => side === "SUPPLIER" && speaks && may("TERMS_RESPOND"))

const brakesOfProposals = (fork: Fork): ReadonlyArray<Brake> =>
  proposalsIn(fork).flatMap((row) => {
    const { proposalId: on, state, pauses } = row
    const read = "readOwnProposal"
    return membersOfProposal(fork, row).flatMap(({ name: actor, side, may }): ReadonlyArray<Brake> => [
      ...(may("DELEGATE") && !pauses.some((pause) => pause.side === side)
        ? [{ actor, read, operation: "pauseProposal", on, input: reason }]
        : []),
      ...(side === "SUPPLIER" && may("PROPOSAL_MANAGE") && canMoveProposal(state, "WITHDRAW")
        ? [{ actor, read, operation: "withdrawAsPerson", on, input: {} }]
        : [])
    ])
  })

/** Whoever let an agent act can end that, also once more. */
const brakesOfGrants = (fork: Fork): ReadonlyArray<Brake> => {
  const grants = fork.rows.of(Grants)
  return [...fork.journey.directory.agents].flatMap(([agent, { grantId }]) => {
    const personId = grants.find((grant) => grant.grantId === grantId)?.personId
    return [...fork.journey.directory.people].flatMap(([actor, { id, session }]) =>
      id === personId && session !== undefined ? [{ actor, operation: "revokeGrant", input: { agent } }] : []
    )
  })
}
