/** The closure of an order on its page: the two files, or why this person cannot have them. */
import { h } from "preact"
import { selectAttempt } from "../../closure/closure.ts"
import { exportGuard } from "../../commerce/commerce-record.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import { recordAuthorities } from "../../records/record-gate.ts"
import { errorBody } from "../../vocabulary/refusals.ts"
import type { Content } from "../kit/html.ts"
import { authorityLabels, roleLabels } from "../kit/labels.ts"
import { linkTo, list, paragraph, section } from "../kit/parts.ts"
import { verifierLink } from "../kit/verifier-link.ts"
import { extendedClosurePath } from "../history/path.ts"
import { closurePath, closureStatusPath } from "./path.ts"

/** Nothing before the first attempt: there is no transaction yet. */
export const closureSection = (order: OrderForPage): Content => {
  const selected = selectAttempt(order.attempts)
  if (selected === undefined) return null
  const refused = exportGuard(selected)
  return section(
    "The closure: the delivery and its payment in one file",
    order.passesRecordGate
      ? refused === undefined
        ? downloads(order, selected)
        : errorBody(refused).detail
      : [whyNot(order), order.side === "BUYER" ? list(recordAuthorities.map((one) => authorityLabels[one])) : null]
  )
}

const downloads = ({ stored: { row } }: OrderForPage, { number, state }: OrderForPage["attempts"][number]): Content => [
  paragraph(h("a", { href: closurePath(row.resultOrderId) }, "Download the closure")),
  state === "PAID"
    ? `The file is about payment attempt ${number}, the first one that the provider reports as paid.`
    : `The file is about payment attempt ${number}, the newest one. The provider has not reported it as paid, and the file says so.`,
  "It proves that this delivery was accepted and recorded here, and that this attempt was for exactly its record, at this price and to this recipient.",
  "It does not prove that a bank received money, that the delivery is good, or what happened after the file was made.",
  paragraph(
    "After that, ",
    h("a", { href: closureStatusPath(row.resultOrderId) }, "download the status of the newest closure"),
    ". It shows whether the acceptance still holds, and what the provider has answered since."
  ),
  verifierLink(),
  paragraph(
    "If a later agreement rests on this result, ",
    linkTo(extendedClosurePath(row.resultOrderId), "get the closure with that history"),
    "."
  )
]

const contents =
  "The file holds the agreement, the whole history of the project, and the delivery with the digests of its files."

const whyNot = ({ side }: OrderForPage): string =>
  side === "BUYER"
    ? `${contents} Ask the person who made the agreement for it, or a member of the buyer whose membership permits one of these:`
    : `${contents} Of the ${roleLabels.SUPPLIER.toLowerCase()}, only the representative can download it: ask that person.`
