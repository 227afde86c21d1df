/** The process of the load. */
import { answerRequests } from "./child-process.ts"
import { runLoad } from "./load.ts"

answerRequests(runLoad)
