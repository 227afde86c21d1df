/** The stop controls of a world: every act that stops a process, derived from the table of moves and the authorities. */
import { Grants } from "../../../src/access/store.ts"
import { CommerceOrders, ResultOrders } from "../../../src/commerce/store.ts"
import type { Agreement } from "../../../src/projects/agreement.ts"
import { concernKinds } from "../../../src/projects/event.ts"
import { canMove, type MoveName, revisionMoveFrom } from "../../../src/projects/moves.ts"
import type { ProjectRow } from "../../../src/projects/store.ts"
import { canMoveProposal } from "../../../src/proposals/proposal.ts"
import { Publications } from "../../../src/publications/store.ts"
import { fromMilliseconds } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { rowsWithPrefix } from "../../properties/property.ts"
import { asJson, type JsonObject, valueAt } from "../../vocabulary/json.ts"
import type { WorldFork } from "../world-fork.ts"
import { futureDates } from "./sample-actions.ts"
import {
  agentsWithProject,
  type AuthorizedAgent,
  type Member,
  membersOfProject,
  membersOfProposal,
  projectsIn,
  proposalsIn
} from "./expected-authorization.ts"

/** One act by which one person or agent stops a process. */
export interface StopControl {
  readonly actor: string
  /** The read before the act, so that its preconditions are current. */
  readonly read?: string
  readonly operation: string
  readonly on?: string
  readonly input?: JsonObject
  /** The second act, if the control takes two. */
  readonly next?: (answer: JsonObject) => StopControl | undefined
}

export const stopControlsIn = (fork: WorldFork): ReadonlyArray<StopControl> => [
  ...controlsOfProjects(fork),
  ...controlsOfProposals(fork),
  ...controlsOfGrants(fork)
]

const reason = { reason: "This has to stop." }

const controlsOfProjects = (fork: WorldFork): ReadonlyArray<StopControl> =>
  projectsIn(fork).flatMap((row) => {
    const members = membersOfProject(fork, row)
    return [
      ...members.flatMap((member) => controlsOfMember(fork, row, member, members)),
      ...members.flatMap((member) => withdrawalsOf(fork, row, member)),
      ...members.flatMap((member) => controlsOfOrders(fork, row, member)),
      ...agentsWithProject(fork, row.projectId).flatMap((agent) =>
        mayHandOff(row, agent)
          ? [{ actor: agent.name, read: "readProject", operation: "handoff", on: row.projectId, input: reason }]
          : []
      )
    ]
  })

const mayHandOff = (row: ProjectRow, { side, personId, organizationId }: AuthorizedAgent): boolean =>
  row.pauses.length === 0 &&
  (side === "SUPPLIER"
    ? personId === row.supplierActorId && organizationId === (row.supplierOrganizationId ?? organizationId)
    : personId !== row.supplierActorId && organizationId === row.buyerOrganizationId)

/** The stop controls that the table of moves and a membership permit to a person. */
const controlsOfMember = (
  fork: WorldFork,
  row: ProjectRow,
  member: Member,
  members: ReadonlyArray<Member>
): ReadonlyArray<StopControl> => {
  const { name: actor, side, may, isRepresentative } = member
  const on = row.projectId
  const read = "readOwnProject"
  const can = (move: MoveName) => isRepresentative && canMove(row.state, move) && hasRoomFor(row, move)
  const controls: Array<StopControl> = []
  if (may("DELEGATE") && !row.pauses.some((pause) => pause.side === side)) {
    controls.push({ actor, read, operation: "pauseProject", on, input: reason })
  }
  if (can("CONCERN") && may(side === "BUYER" ? "DELIVERY_REVIEW" : "MATERIALS_SUBMIT")) {
    controls.push({ actor, read, operation: "raiseConcern", on, input: { kind: concernKinds[0], ...reason } })
  }
  if (side === "BUYER" && may("COMPLETION_CONFIRM")) {
    if (can("WITHDRAW_CONFIRMATION"))
      controls.push({ actor, read, operation: "withdrawConfirmation", on, input: reason })
    if (can("UPHOLD_CONCERN")) {
      controls.push({ actor, read, operation: "resolveConcern", on, input: { resolution: "UPHELD", ...reason } })
    }
  }
  const move = revisionMoveFrom(row.state)
  if (side === "BUYER" && may("AGREEMENT_CREATE") && can(move) && !hasOpenRevision(fork, row)) {
    controls.push(revision(fork, row, actor, move === "OFFER_REVISION" ? acceptingMember(members) : undefined))
  }
  return controls
}

/** Either side withdraws a live publication in every state of the project. */
const withdrawalsOf = (fork: WorldFork, { projectId }: ProjectRow, member: Member): ReadonlyArray<StopControl> => {
  if (!member.isRepresentative || !member.may("PUBLICATION_MANAGE")) return []
  return rowsWithPrefix(fork.rows, Publications, [projectId], "byProject")
    .filter(({ state }) => state !== "WITHDRAWN")
    .map(({ publicationId }) => ({
      actor: member.name,
      operation: "withdrawPublication",
      on: `${projectId}/${publicationId}`,
      input: reason
    }))
}

/** The buyer declines an offer; the supplier withdraws an order that the buyer cannot be paying. */
const controlsOfOrders = (
  fork: WorldFork,
  { projectId }: ProjectRow,
  { name: actor, side, may, isRepresentative }: Member
): ReadonlyArray<StopControl> => {
  if (!isRepresentative || !may("FINANCIAL_MANAGE")) return []
  return rowsWithPrefix(fork.rows, ResultOrders, [projectId], "byProject").flatMap(({ resultOrderId: on, state }) => {
    const control = { actor, read: "readResultOrder", on, input: reason }
    const live = rowsWithPrefix(fork.rows, CommerceOrders, [on], "byOrder").filter((one) => one.state !== "RELEASED")
    const isUnpaid = state === "PAYING" && live.every((one) => one.state === "UNVERIFIED")
    if (side === "BUYER") return state === "OFFERED" ? [{ ...control, operation: "declineResultOrder" }] : []
    const mayWithdraw = state === "OFFERED" || state === "APPROVED" || isUnpaid
    return mayWithdraw ? [{ ...control, operation: "withdrawResultOrder" }] : []
  })
}

/** The last events of a history are reserved for moves that end a project. */
const hasRoomFor = ({ eventCount }: ProjectRow, move: MoveName): boolean =>
  move === "OFFER_REVISION" || eventCount < limits.eventsPerProject - (ending.has(move) ? 0 : limits.eventsReserved)

const ending: ReadonlySet<MoveName> = new Set(["REPLACE_TERMS", "WITHDRAW_CONFIRMATION", "UPHOLD_CONCERN"])

const hasOpenRevision = (fork: WorldFork, { revisionProjectId }: ProjectRow): boolean =>
  projectsIn(fork).some(
    ({ projectId, state }) =>
      projectId === revisionProjectId && (state === "AWAITING_SUPPLIER" || state === "AGREEMENT_CHANGES_REQUESTED")
  )

/** New terms with future dates; agreed terms end once the supplier accepts the revision. */
const revision = (fork: WorldFork, row: ProjectRow, actor: string, acceptor: Member | undefined): StopControl => {
  const { terms } = JSON.parse(row.agreement) as Agreement
  const ahead = futureDates({ project: { agreement: asJson(terms) } }, fromMilliseconds(fork.setup.scheduler.now))
  return {
    actor,
    read: "readOwnProject",
    operation: "reviseProject",
    on: row.projectId,
    input: { terms: ahead, ...reason },
    next: (answer) => {
      const on = valueAt(answer, "project.taskId")
      if (acceptor === undefined || typeof on !== "string" || on === row.projectId) return undefined
      const input = { action: "ACCEPT", ...reason }
      return { actor: acceptor.name, read: "readOwnProject", operation: "respondAsPerson", on, input }
    }
  }
}

const acceptingMember = (members: ReadonlyArray<Member>): Member | undefined =>
  members.find(({ side, isRepresentative, may }) => side === "SUPPLIER" && isRepresentative && may("TERMS_RESPOND"))

const controlsOfProposals = (fork: WorldFork): ReadonlyArray<StopControl> =>
  proposalsIn(fork).flatMap((row) => {
    const { proposalId: on, state, pauses } = row
    const read = "readOwnProposal"
    return membersOfProposal(fork, row).flatMap(({ name: actor, side, may }): ReadonlyArray<StopControl> => [
      ...(may("DELEGATE") && !pauses.some((pause) => pause.side === side)
        ? [{ actor, read, operation: "pauseProposal", on, input: reason }]
        : []),
      ...(side === "SUPPLIER" && may("PROPOSAL_MANAGE") && canMoveProposal(state, "WITHDRAW")
        ? [{ actor, read, operation: "withdrawAsPerson", on, input: {} }]
        : [])
    ])
  })

/** The person of a grant can revoke it, also a second time. */
const controlsOfGrants = (fork: WorldFork): ReadonlyArray<StopControl> => {
  const grants = fork.rows.of(Grants)
  return [...fork.context.directory.agents].flatMap(([agent, { grantId }]) => {
    const personId = grants.find((grant) => grant.grantId === grantId)?.personId
    return [...fork.context.directory.people].flatMap(([actor, { id, session }]) =>
      id === personId && session !== undefined ? [{ actor, operation: "revokeGrant", input: { agent } }] : []
    )
  })
}
