/** The pages of all commands on a project. */
import { Layer } from "effect"
import { changeRepresentativePages } from "./project-change-representative.ts"
import { concernPages } from "./project-concern.ts"
import { datePages } from "./project-date.ts"
import { issuePages } from "./project-issue.ts"
import { respondPages } from "./project-respond.ts"
import { reviewPages } from "./project-review.ts"
import { signPages } from "./project-sign.ts"
import { submitPages } from "./project-submit.ts"

export const projectActs = Layer.mergeAll(
  respondPages,
  signPages,
  submitPages,
  reviewPages,
  datePages,
  concernPages,
  issuePages,
  changeRepresentativePages
)
