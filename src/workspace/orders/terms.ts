/** The terms of a Result Order, word by word: every member of what the buyer approves. */
import { h } from "preact"
import type { OrderTerms } from "../../commerce/terms.ts"
import { amountText } from "../../vocabulary/money.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { facts, folded, linkTo, aboveId, type Fact } from "../kit/parts.ts"
import { projectPath } from "../projects/path.ts"
import { environmentLabels, providerLabels } from "./labels.ts"

type Rows<Member extends keyof OrderTerms> = { readonly [M in Member]: ReadonlyArray<Fact> }
type FoldedMember = "agreement" | "submission" | "review" | "confirmation" | "record" | "packageDigest"

/** Ids and digests of what came before are folded, so that price and parties are read first. */
export const termsContent = (terms: OrderTerms, termsDigest: string): Content => [
  facts(Object.values(openRows(terms)).flat()),
  folded("Ids and digests of these terms", facts(Object.values(foldedRows(terms)).flat())),
  h("p", null, "Digest of the terms: ", code(termsDigest))
]

const openRows = (terms: OrderTerms): Rows<Exclude<keyof OrderTerms, FoldedMember>> => ({
  amountMinor: [["Total, taxes and fees included", h("strong", null, amountText(terms.amountMinor, terms.currency))]],
  currency: [["Currency", terms.currency]],
  item: [["What is paid for", ["The issued record ", code(terms.item.id), ", digest ", code(terms.item.digest)]]],
  buyer: [["Buyer", party(terms.buyer)]],
  supplier: [["Supplier", party(terms.supplier)]],
  provider: [["Payment provider", providerLabels[terms.provider]]],
  environment: [["Environment of the provider", environmentLabels[terms.environment]]],
  recipientAccount: [["Account that receives the payment", untrusted(terms.recipientAccount)]],
  projectId: [["Project", linkTo(projectPath(terms.projectId), code(terms.projectId))]]
})

const foldedRows = ({
  agreement,
  submission,
  review,
  confirmation,
  record,
  packageDigest
}: OrderTerms): Rows<FoldedMember> => ({
  agreement: [
    ["Version of the agreement", String(agreement.version)],
    ["Digest of the agreement", code(agreement.digest)]
  ],
  submission: [
    ["Delivery", code(submission.id)],
    ["Digest of the delivery", code(submission.digest)]
  ],
  review: [
    ["Review", code(review.id)],
    ["Digest of the review", code(review.digest)]
  ],
  confirmation: [["Acceptance", code(confirmation.id)]],
  record: [
    ["Record", code(record.id)],
    ["Digest of the record", code(record.digest)]
  ],
  packageDigest: [["Digest of the signed package", code(packageDigest)]]
})

const code = (text: string) => h("code", null, text)

const party = ({ name, organizationId }: OrderTerms["buyer"]) => aboveId(untrusted(name), organizationId)
