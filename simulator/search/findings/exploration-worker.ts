/** A worker process that searches scripts one at a time for its parent process. */
import { serveParent } from "../../child-processes/pool.ts"
import { exploreFile } from "./explore-file.ts"

serveParent(exploreFile)
