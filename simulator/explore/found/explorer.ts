/** A process that searches scripts, one at a time, for the one that started it. */
import { work } from "../../workers.ts"
import { exploreFile } from "./explore-file.ts"

work(exploreFile)
