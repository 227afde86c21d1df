/** The pages about the history that agreements rest on. */
import { Layer } from "effect"
import { extendedClosurePage } from "./extended-closure.ts"
import { referencePages } from "./reference.ts"

export const historyPages = Layer.merge(referencePages, extendedClosurePage)
