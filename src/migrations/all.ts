/** Every migration, oldest first. A released one never changes. */
import { people } from "./0001_people.ts"
import { access } from "./0002_access.ts"
import { projects } from "./0003_projects.ts"
import { records } from "./0004_records.ts"
import { delegatedAccess } from "./0005_delegated_access.ts"
import { wholeLife } from "./0006_whole_life.ts"
import { preparation } from "./0007_preparation.ts"
import { callbacks } from "./0008_callbacks.ts"
import { installation } from "./0009_installation.ts"
import { administration } from "./0010_administration.ts"
import { lists } from "./0011_lists.ts"
import { publications } from "./0012_publications.ts"
import { commerce } from "./0013_commerce.ts"
import { lineage } from "./0014_lineage.ts"
import { deliveryLeases } from "./0015_delivery_leases.ts"
import { lostHistory } from "./0016_lost_history.ts"
import { monthlyAttempts } from "./0017_monthly_attempts.ts"
import { roomForUpdates } from "./0018_room_for_updates.ts"
import { pagedLists } from "./0019_paged_lists.ts"
import { rowsInForce } from "./0020_rows_in_force.ts"
import type { Migration } from "./migration.ts"

// The first fifteen are older than the rule that versions work side by side: a start runs them, as it runs an expand.
const first = (id: number, name: string, statements: ReadonlyArray<string>): Migration => ({
  id,
  name,
  kind: "expand",
  steps: [{ kind: "transaction", statements }]
})

export const migrations: ReadonlyArray<Migration> = [
  first(1, "people", people),
  first(2, "access", access),
  first(3, "projects", projects),
  first(4, "records", records),
  first(5, "delegated_access", delegatedAccess),
  first(6, "whole_life", wholeLife),
  first(7, "preparation", preparation),
  first(8, "callbacks", callbacks),
  first(9, "installation", installation),
  first(10, "administration", administration),
  first(11, "lists", lists),
  first(12, "publications", publications),
  first(13, "commerce", commerce),
  first(14, "lineage", lineage),
  first(15, "delivery_leases", deliveryLeases),
  { id: 16, name: "lost_history", kind: "expand", steps: lostHistory },
  { id: 17, name: "monthly_attempts", kind: "expand", steps: monthlyAttempts },
  { id: 18, name: "room_for_updates", kind: "expand", steps: roomForUpdates },
  { id: 19, name: "paged_lists", kind: "expand", steps: pagedLists },
  { id: 20, name: "rows_in_force", kind: "expand", steps: rowsInForce }
]
