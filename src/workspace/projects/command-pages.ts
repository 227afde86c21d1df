/** The pages of all commands on a project. */
import { Layer } from "effect"
import { changeRepresentativePages } from "./change-representative.ts"
import { concernPages } from "./concern.ts"
import { datePages } from "./delivery-date.ts"
import { issuePages } from "./issue.ts"
import { respondPages } from "./respond.ts"
import { reviewPages } from "./review.ts"
import { signPages } from "./sign.ts"
import { submitPages } from "./submit.ts"

export const projectCommandPages = Layer.mergeAll(
  respondPages,
  signPages,
  submitPages,
  reviewPages,
  datePages,
  concernPages,
  issuePages,
  changeRepresentativePages
)
