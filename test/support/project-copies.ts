/** Copies of a project for lists, each older than the one before. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"

/** Copies in five states in turns, of which one has a hold and one a revised agreement; they have no events. */
export const copyProject = Effect.fnUntraced(function* (
  connection: ConnectionOptions,
  projectId: string,
  count: number
) {
  const session = yield* PgConnection.make(connection)
  yield* session.query(
    `with copies as (
      insert into projects
      select copy.* from (select projects as model from projects where project_id = '${projectId}') as one,
        generate_series(1, ${count}) as number,
        lateral jsonb_populate_record(model, jsonb_build_object(
          'project_id', 'delivery_' || gen_random_uuid(),
          'state', (array['AWAITING_SUPPLIER', 'LOCKED', 'SUBMITTED', 'BUYER_CONFIRMED', 'BUYER_REJECTED'])[1 + number % 5],
          'hold_purpose', case when number % 5 = 1 and number % 2 = 0 then 'DELIVERY' end,
          'supersedes_project_id', case when number % 5 = 0 then '${projectId}' end,
          'created_at', (model).created_at - number * interval '1 second'
        )) as copy
      returning project_id, buyer_organization_id, supplier_actor_id, created_at
    )
    insert into project_sides (party, project_id, role, created_at)
    select buyer_organization_id, project_id, 'BUYER', created_at from copies
    union all select supplier_actor_id, project_id, 'SUPPLIER', created_at from copies`
  )
}, Effect.scoped)
