/**
 * `submit` and `review` as the service promises them, in one transaction without its pipeline, storage port and Effect:
 * authority under its locks, the project's lock before its rows, the documented order of checks, one signed event, and
 * the idempotency key committed with it. What an agent may do, what a command decides and what an answer contains are
 * the pure functions of the service.
 */
import { createHash, hash, randomUUID, sign, type KeyObject } from "node:crypto"
import canonicalize from "canonicalize"
import type pg from "pg"
import { agentOnProject } from "../../../src/projects/agent-caller.ts"
import { isLive, type Authority } from "../../../src/access/authorize.ts"
import { Grants } from "../../../src/access/store.ts"
import { actOf, decide, moveOf, type Command } from "../../../src/projects/decide.ts"
import type { ProjectEvent } from "../../../src/projects/event.ts"
import { evolve, projectFrom } from "../../../src/projects/evolve.ts"
import { historyLimitGuard, partyGuard, pauseGuard } from "../../../src/projects/guards.ts"
import { noRelatedFacts } from "../../../src/projects/guard-context.ts"
import type { StoredProject } from "../../../src/projects/history.ts"
import { autoIssues, hasIssuanceRequest } from "../../../src/projects/issuance.ts"
import { Issuances, Projects, type ProjectRow } from "../../../src/projects/store.ts"
import { viewProject } from "../../../src/projects/view.ts"
import { later, type Instant } from "../../../src/vocabulary/instant.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { refusal } from "../../../src/vocabulary/refusals.ts"
import { columnsOf, sendTogether, type Statement } from "./database.ts"

export interface Caller {
  readonly grantId: string
  readonly membershipId: string
  readonly generation: number
}

export interface PeerCommand {
  readonly caller: Caller
  readonly projectId: string
  readonly requestId: string
  readonly fingerprint: string
  readonly expectedEventHash: string
  readonly automationRevision: number
  readonly command: Command<"SUBMIT" | "REVIEW">
}

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** The membership's columns have no name in common with those of the grant. */
export const authorityColumns = `${columnsOf(Grants, "g")}, m.authorities, m.valid_from as "validFrom",
  m.valid_until as "validUntil", m.ended_at as "endedAt"`

export const authorityFrom = (row: any): Authority => ({
  grant: row,
  membership: row,
  link: row.isInScope ? row : undefined
})

export const isLiveFor = (authority: Authority, { generation }: Pick<Caller, "generation">, now: Instant): boolean =>
  authority.grant.generation === generation && isLive(authority, now)

/** Runs a command and returns its answer; a refusal is thrown. */
export const runCommand = async (
  connection: pg.PoolClient,
  command: PeerCommand,
  key: SigningKey,
  siteUrl: string
): Promise<string> => {
  const read = await sendTogether(connection, ["begin", ...readsOf(command)])
  const [authorityRows, [row], events, [facts]] = read.slice(2).map(({ rows }) => rows) as [any, any, any, any]
  const now = new Date().toISOString() as Instant
  const authority = authorityRows.map(authorityFrom)[0]
  if (authority === undefined || !isLiveFor(authority, command.caller, now)) throw refusal("AUTH_INVALID")
  if (row === undefined) throw refusal("FORBIDDEN_AGENT_PROJECT_SCOPE")
  const stored = storedFrom(row, events)
  const actor = agentOnProject(authority, command.caller, now)
  requireActor(authority, stored, command, actor, facts.recordedSide)
  const issuance = facts.projectId === null ? undefined : facts
  const answerWith = (stored: StoredProject, members: object) => {
    const isCovered = facts.balance > 0
    const model = { stored, issuance, isCovered, relatedFacts: noRelatedFacts, viewer: actor, now, siteUrl }
    return JSON.stringify({ ...viewProject(model), ...members })
  }
  if (facts.earlierFingerprint === command.fingerprint) {
    await connection.query("rollback")
    return answerWith(stored, { replayed: true })
  }
  if (facts.earlierFingerprint !== null) throw refusal("REQUEST_ID_CONFLICT")
  requirePreconditions(stored, command, actor.by)
  const at = [actor.notBefore, stored.row.lastEventAt].reduce(later, now)
  if (!isLive(authority, at)) throw refusal("AUTH_INVALID")
  const decision = decide(stored.project, command.command, {
    now: at,
    by: actor.by,
    newId: (kind) => `${kind}_${randomUUID()}`,
    isIssuanceRequested: hasIssuanceRequest(issuance),
    relatedFacts: noRelatedFacts,
    named: null
  })
  if (decision._tag === "Failure") throw decision.failure
  const { event: content } = decision.success as { readonly event: Pick<ProjectEvent, "kind" | "payload"> }
  const { event, jws, bytes } = sealEvent(stored.project, content, command.requestId, actor.actor, at, key)
  const historyBytes = stored.row.historyBytes + bytes
  if (historyBytes > limits.historyBytes - limits.historyBytesReserved) throw refusal("DELIVERY_HISTORY_LIMIT_REACHED")
  const project = evolve(stored.project, event)
  if (stored.row.listeners > 0 || autoIssues(actor, project, event, at))
    throw new Error("the peer has neither webhooks nor issuance")
  const side = { personId: actor.by.personId, side: actor.by.side, isRecorded: facts.recordedSide !== null }
  const written = await sendTogether(connection, [
    ...writesOf(command, event, { state: project.state, jws, historyBytes, side, now }),
    "commit"
  ])
  if (written.at(-1)!.command !== "COMMIT") throw refusal("TEMPORARILY_UNAVAILABLE")
  return answerWith({ row: stored.row, project }, { emailUpdate: "DISABLED" })
}

/** Two lock keys with the same number only wait for each other needlessly; the service computes the same numbers. */
const advisoryKey = (kind: string, id: string): string =>
  createHash("sha256").update(`${kind}:${id}`).digest().readBigInt64BE().toString()

/** The locks, then the rows: each statement reads what was committed before it began. */
const readsOf = ({ caller, projectId, requestId }: PeerCommand): ReadonlyArray<Statement> => {
  const { grantId, membershipId } = caller
  const scope = "exists (select from grant_projects l where l.grant_id = $1 and l.project_id = $2)"
  return [
    {
      name: "lock-authority",
      text: "select pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock_shared($2)",
      values: [advisoryKey("membership", membershipId), advisoryKey("grant", grantId)]
    },
    {
      name: "read-authority",
      text: `select ${authorityColumns}, ${scope} as "isInScope"
        from grants g join memberships m on m.membership_id = $3 where g.grant_id = $1`,
      values: [grantId, projectId, membershipId]
    },
    {
      name: "lock-project",
      text: `select ${columnsOf(Projects, "p")} from projects p where p.project_id = $2 and ${scope} for no key update`,
      values: [grantId, projectId]
    },
    {
      name: "read-events",
      text: "select hash, jws from project_events where project_id = $1 order by sequence",
      values: [projectId]
    },
    {
      name: "read-facts",
      text: `select ${columnsOf(Issuances, "i")}, r.fingerprint as "earlierFingerprint", s.role as "recordedSide",
          coalesce(c.balance, 0) as balance
        from projects p join grants g on g.grant_id = $1
          left join issuances i on i.project_id = p.project_id
          left join request_keys r on r.owner = $1 and r.request_id = $3
          left join project_sides s on s.party = g.person_id and s.project_id = p.project_id
          left join organization_credits c on c.organization_id = p.buyer_organization_id
        where p.project_id = $2`,
      values: [grantId, projectId, requestId]
    }
  ]
}

const storedFrom = (row: ProjectRow, events: ReadonlyArray<any>): StoredProject => {
  const opened = events.map(({ hash, jws }) => ({ ...JSON.parse(fromBase64url(jws.split(".")[1])), hash }))
  const project = projectFrom(JSON.parse(row.agreement), row.agreementDigest, opened)
  const organizationId = project.supplier.organizationId ?? row.supplierOrganizationId
  return { row, project: { ...project, supplier: { ...project.supplier, organizationId } } }
}

/** The agent represents its side, holds the act, and its person has not acted for the other side. */
const requireActor = (
  { grant }: Authority,
  { row, project }: StoredProject,
  { command }: PeerCommand,
  { by, mayAct }: ReturnType<typeof agentOnProject>,
  recordedSide: string | null
): void => {
  const party = grant.role === "BUYER" ? row.buyerOrganizationId : (row.supplierOrganizationId ?? grant.organizationId)
  const isOther = recordedSide !== null && recordedSide !== by.side
  const refused = partyGuard(project, moveOf(command, project.state)!, by)
  if (grant.organizationId !== party || isOther || refused !== undefined || !mayAct(actOf(command))) {
    throw refusal("FORBIDDEN_AGENT_ACTION")
  }
}

/** In the documented order: pause, automation revision, head, history limit. */
const requirePreconditions = (
  { row, project }: StoredProject,
  { command, automationRevision, expectedEventHash }: PeerCommand,
  by: Parameters<typeof pauseGuard>[2]["by"]
): void => {
  const move = moveOf(command, project.state)!
  const paused = pauseGuard(row.pauses.length > 0, move, { by, relatedFacts: noRelatedFacts })
  if (paused !== undefined) throw paused
  const current = { headEventHash: project.head, automationRevision: row.automationRevision }
  if (automationRevision !== row.automationRevision) throw refusal("AGENT_CHANGED_REFRESH_REQUIRED", { current })
  if (expectedEventHash !== project.head) throw refusal("STALE_EVENT_HEAD", { current })
  const full = historyLimitGuard(project, move)
  if (full !== undefined) throw full
}

/** The next event of the chain: its hash leaves out `issuedAt`, its signature is a compact JWS. */
const sealEvent = (
  project: StoredProject["project"],
  content: Pick<ProjectEvent, "kind" | "payload">,
  requestId: string,
  actor: ProjectEvent["actor"],
  occurredAt: Instant,
  { kid, privateKey }: SigningKey
) => {
  const schema = "service.project-event/v1"
  const { projectId } = project.agreement
  const place = { projectId, sequence: project.events.length + 1, previous: project.head }
  const chained = { schema, ...place, ...content, requestId, actor, occurredAt }
  const payload = canonicalize({ ...chained, issuedAt: occurredAt })!
  const header = canonicalize({ alg: "EdDSA", kid, typ: schema })!
  const input = `${toBase64url(header)}.${toBase64url(payload)}`
  const event = { ...chained, hash: hash("sha256", canonicalize(chained)!, "hex") } as ProjectEvent
  const jws = `${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}`
  return { event, jws, bytes: Buffer.byteLength(payload) }
}

const toBase64url = (text: string): string => Buffer.from(text).toString("base64url")
const fromBase64url = (text: string): string => Buffer.from(text, "base64url").toString()

interface EventWrites {
  readonly state: string
  readonly jws: string
  readonly historyBytes: number
  readonly side: { readonly personId: string; readonly side: string; readonly isRecorded: boolean }
  readonly now: Instant
}

const writesOf = (
  { caller, projectId, requestId, fingerprint }: PeerCommand,
  { sequence, kind, hash, occurredAt }: ProjectEvent,
  { state, jws, historyBytes, side, now }: EventWrites
): ReadonlyArray<Statement> => [
  {
    name: "update-project",
    text: `update projects set state = $2, head_event_hash = $3, event_count = $4, history_bytes = $5, last_event_at = $6
      where project_id = $1`,
    values: [projectId, state, hash, sequence, historyBytes, occurredAt]
  },
  {
    name: "insert-event",
    text: `insert into project_events (project_id, sequence, kind, hash, jws, occurred_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [projectId, sequence, kind, hash, jws, occurredAt]
  },
  {
    name: "insert-request-key",
    text: `insert into request_keys (owner, request_id, fingerprint, target, committed_at) values ($1, $2, $3, $4, $5)`,
    values: [caller.grantId, requestId, fingerprint, projectId, now]
  },
  ...(side.isRecorded
    ? []
    : [
        {
          name: "insert-side",
          text: `insert into project_sides (party, project_id, role) values ($1, $2, $3)`,
          values: [side.personId, projectId, side.side]
        }
      ])
]
