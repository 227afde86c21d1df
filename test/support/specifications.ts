/** Specifications as an operator publishes them, and their stores. */
import { Effect, Layer } from "effect"
import { layer as memory } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import type { Content } from "../../src/discovery/specification.ts"
import { lockTables } from "../../src/tables.ts"
import { freshService, postgresStorage } from "./service.ts"

export const specificationOf = (id: string, changes: Partial<Content> = {}): Content => ({
  id,
  title: `Title of ${id}`,
  summary: "What it is about.",
  scope: "All of it.",
  criteria: [{ id: "c1", title: "Complete", requirement: "Every page is there." }],
  ...changes
})

/** Empty stores. */
export const specificationStores = {
  Postgres: Layer.unwrap(Effect.map(freshService, (connection) => postgresStorage(connection))),
  "the simulator's memory": Layer.suspend(() => memory(new MemoryStore(lockTables)))
}
