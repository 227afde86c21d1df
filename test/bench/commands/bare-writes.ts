/** The writes of a command as one SQL statement through the bare driver: the upper bound of the database. */
import { randomBytes, randomUUID } from "node:crypto"
import { PgConnection, PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../../src/adapters/postgres-storage/connections.ts"
import type { Turn } from "./clients.ts"

/** A copy of a real project to write to. */
export interface BareLane {
  readonly projectId: string
  events: number
}

/** An event appended by a command, and the owner of its request key, so that writes have the size of real ones. */
interface Model {
  readonly owner: string
  readonly jws: string
}

const write = `
  with moved as (
    update projects set state = $2, supplier_actor_id = supplier_actor_id,
      supplier_organization_id = supplier_organization_id, head_event_hash = $3, event_count = event_count + 1,
      history_bytes = history_bytes + 1, last_event_at = $4
    where project_id = $1 returning event_count
  ), appended as (
    insert into project_events (project_id, sequence, kind, hash, jws, occurred_at)
    select $1, event_count, $5, $3, $6, $4 from moved
  )
  insert into request_keys (owner, request_id, fingerprint, target, committed_at) values ($7, $8, $3, $1, $4)`

/** One connection for each client. */
export const openWriter = Effect.fnUntraced(function* (database: ConnectionOptions, clients: number) {
  const connections = yield* Effect.forEach(Array.from({ length: clients }), () => PgConnection.make(database))
  const [[owner, jws] = []] = yield* connections[0]!.queryValues(
    `select owner, jws from project_events join request_keys on target = project_id where kind = 'SUBMIT' limit 1`
  )
  const model: Model = { owner: String(owner), jws: String(jws) }
  const idle = [...connections]
  const take = async (lane: BareLane): Promise<Turn> => {
    const connection = idle.pop()!
    await Effect.runPromise(connection.queryValues(write, parameters(lane, model)))
    idle.push(connection)
    return "done"
  }
  return { take, clone: (lanes: number) => cloneProjects(connections[0]!, lanes) }
})

const parameters = (lane: BareLane, { owner, jws }: Model): ReadonlyArray<PgTypes.Parameter> => {
  const isSubmission = lane.events++ % 2 === 0
  return [
    PgTypes.text(lane.projectId),
    PgTypes.text(isSubmission ? "SUBMITTED" : "CHANGES_REQUESTED"),
    PgTypes.text(randomBytes(32).toString("hex")),
    PgTypes.timestamptz(Date.now()),
    PgTypes.text(isSubmission ? "SUBMIT" : "REVIEW"),
    PgTypes.text(jws),
    PgTypes.text(owner),
    PgTypes.text(randomUUID())
  ]
}

/** Without events: a write reads only their number. */
const cloneProjects = (connection: PgConnection.PgConnection, lanes: number) =>
  Effect.map(
    connection.queryValues(
      `insert into projects
       select copy.* from (select projects as real from projects limit 1) as model, generate_series(1, $1) as number,
         lateral jsonb_populate_record(real, jsonb_build_object(
           'project_id', 'delivery_' || gen_random_uuid(), 'event_count', 2, 'history_bytes', 2000 + number)) as copy
       returning project_id`,
      [PgTypes.int4(lanes)]
    ),
    (rows) => rows.map(([projectId]): BareLane => ({ projectId: String(projectId), events: 0 }))
  )
