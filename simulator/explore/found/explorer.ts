/** A worker process that searches scripts one at a time for its parent process. */
import { work } from "../../workers.ts"
import { exploreFile } from "./explore-file.ts"

work(exploreFile)
