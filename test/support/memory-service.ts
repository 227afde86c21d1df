/** The whole service over the simulator's store: fast, and it checks which locks are held. */
import { Layer } from "effect"
import { layer } from "../../simulator/storage/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/storage/memory-storage/store.ts"
import { lockTables } from "../../src/tables.ts"
import { testService } from "./service.ts"

export const memoryTestService = Layer.suspend(() => testService(layer(new MemoryStore(lockTables))))
