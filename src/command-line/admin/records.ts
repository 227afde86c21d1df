/** Result credits and public specifications. */
import { Effect } from "effect"
import { Argument, Flag } from "effect/cli"
import { publishSpecification } from "../../discovery/publish.ts"
import { pathOfVersion } from "../../discovery/specification.ts"
import { Installation } from "../../ports/installation.ts"
import { grantCredits } from "../../records/credits.ts"
import { readSpecificationFile } from "../specification-file.ts"
import { act } from "./act.ts"
import { organization } from "./flags.ts"

const grantCreditsCommand = act(
  "grant-credits",
  {
    organization,
    credits: Flag.Int("credits").pipe(Flag.withDescription("How many result records it may issue")),
    reference: Flag.String("reference").pipe(
      Flag.withDescription("The reference of this entry, like an invoice number")
    )
  },
  {
    description: "Grant result credits to an organization",
    changes: "DATABASE",
    run: ({ organization, ...input }) => grantCredits({ organizationId: organization, ...input })
  }
)

const publishSpecificationCommand = act(
  "publish-specification",
  {
    file: Argument.Path("file").pipe(
      Argument.withDescription("A JSON file: id, title, summary, scope, criteria, baselineStatement?, references?")
    )
  },
  {
    description: "Publish a specification as the next version of its id; idempotent for unchanged content",
    changes: "DATABASE",
    run: ({ file }) =>
      Effect.gen(function* () {
        const { siteUrl } = yield* Installation
        const { id, version, digest } = yield* publishSpecification(yield* readSpecificationFile(file))
        return { id, version, digest, address: siteUrl + pathOfVersion(id, version) }
      })
  }
)

export const recordActs = [grantCreditsCommand, publishSpecificationCommand] as const
