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
import type { Migration } from "./migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "people", statements: people },
  { id: 2, name: "access", statements: access },
  { id: 3, name: "projects", statements: projects },
  { id: 4, name: "records", statements: records },
  { id: 5, name: "delegated_access", statements: delegatedAccess },
  { id: 6, name: "whole_life", statements: wholeLife },
  { id: 7, name: "preparation", statements: preparation },
  { id: 8, name: "callbacks", statements: callbacks },
  { id: 9, name: "installation", statements: installation },
  { id: 10, name: "administration", statements: administration },
  { id: 11, name: "lists", statements: lists },
  { id: 12, name: "publications", statements: publications },
  { id: 13, name: "commerce", statements: commerce },
  { id: 14, name: "lineage", statements: lineage },
  { id: 15, name: "delivery_leases", statements: deliveryLeases },
  { id: 16, name: "lost_history", statements: lostHistory }
]
