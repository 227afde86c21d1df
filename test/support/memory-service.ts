/** The whole service over the simulator's store: fast, and it checks which locks are held. */
import { Layer } from "effect"
import { layer } from "../../simulator/memory-storage/layer.ts"
import { MemoryStore } from "../../simulator/memory-storage/store.ts"
import { rootTables } from "../../src/tables.ts"
import { testService } from "./service.ts"

export const memoryTestService = Layer.suspend(() => testService(layer(new MemoryStore(rootTables))))
