/** Cases on the order of events: the states, the holds, and the events after an acceptance. */
import { editEvent } from "../forgeries.ts"
import {
  afterIssuance,
  withPayload,
  buyer,
  concern,
  dan,
  dismiss,
  hold,
  lift,
  type Step,
  supersede,
  supplier,
  uphold,
  withdraw
} from "../sample-steps.ts"
import type { Forgery } from "../sample.ts"
import { at, type Members, uuid } from "../signing.ts"
import { statusSays, twoRounds, refusal } from "./samples.ts"
import { beforeInBrief, chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

const moved = ["history-moves", "JOURNAL_MOVE"] as const

/** Events after the issuance, and the status that agrees with them. */
const followed = (state: string, reliance: string, ...steps: ReadonlyArray<Step>): Forgery =>
  chainForgeries(afterIssuance(...steps), statusSays(state, reliance))

/** A copy of the event with this time. */
const withTime = (event: Members, time: string): Members => ({ ...event, occurredAt: time, issuedAt: time })

const histories: ReadonlyArray<Case> = [
  okCase("moves/delivery-held_ok", "The supplier asked for a later delivery and the buyer lifted the hold before it.", {
    forgery: beforeInBrief("SUBMIT", hold(supplier, "DELIVERY"), lift(dan, "DELIVERY"))
  }),
  okCase(
    "moves/review-held-twice_ok",
    "The review was held twice, and each hold was lifted before anything was decided.",
    {
      forgery: beforeInBrief(
        "REVIEW",
        hold(dan, "REVIEW"),
        lift(buyer, "REVIEW"),
        hold(supplier, "REVIEW"),
        lift(supplier, "REVIEW")
      )
    }
  ),
  okCase("moves/two-rounds_ok", "A first submission was sent back, and a second one accepted.", { base: twoRounds }),
  okCase(
    "moves/concern-dismissed-before-issuance_ok",
    "A concern was raised and dismissed before the record was issued.",
    {
      forgery: beforeInBrief("ISSUE", concern(supplier), dismiss(supplier))
    }
  ),
  okCase(
    "moves/concern-raised_ok",
    "A concern stands since the issuance; the history is proven, and the status says so.",
    {
      forgery: followed("CONFIRMATION_CONTESTED", "PAUSED", concern(dan))
    }
  ),
  okCase("moves/concern-dismissed_ok", "A concern was raised after the issuance and dismissed by its own side.", {
    forgery: followed("BUYER_CONFIRMED", "CURRENT", concern(dan), dismiss(buyer))
  }),
  okCase(
    "moves/concern-upheld_ok",
    "A concern was upheld by the buyer: what was accepted stays proven, and is withdrawn.",
    {
      forgery: followed("CONFIRMATION_WITHDRAWN", "STOPPED", concern(supplier), uphold(dan))
    }
  ),
  okCase("moves/confirmation-withdrawn_ok", "The buyer withdrew the confirmation after the record was issued.", {
    forgery: followed("CONFIRMATION_WITHDRAWN", "STOPPED", withdraw(dan))
  }),
  okCase("moves/superseded-by-person_ok", "The supplier accepted other terms, which ended this agreement.", {
    forgery: followed("SUPERSEDED", "STOPPED", supersede(supplier))
  }),
  okCase(
    "moves/superseded-by-agent_ok",
    "The supplier's agent accepted other terms under a grant that reaches their project alone; its salt is enclosed.",
    { forgery: followed("SUPERSEDED", "STOPPED", supersede("successor")) }
  )
]

const delivered: ReadonlyArray<Case> = [
  refusal(
    "moves/submission-before-response_fail",
    "Something was submitted before the supplier had agreed to the terms; there was nothing to deliver under.",
    ...moved,
    {
      forgery: {
        history: ([create, respond, submit, ...rest]) => [
          create,
          withTime(submit!, at(11)),
          withTime(respond!, at(14)),
          ...rest
        ]
      }
    }
  ),
  refusal(
    "moves/declined-and-delivered_fail",
    "The supplier declined the terms, which ends the project, and delivered all the same.",
    ...moved,
    {
      forgery: editEvent("RESPOND", (event) => (event["payload"].action = "DECLINE"))
    }
  ),
  refusal(
    "moves/submission-while-held_fail",
    "A date was asked for, and something submitted before that was settled; a hold keeps deliveries waiting.",
    ...moved,
    {
      forgery: beforeInBrief("SUBMIT", hold(supplier, "DELIVERY"))
    }
  ),
  refusal(
    "moves/acceptance-while-held_fail",
    "A date was asked for, and the submission accepted before that was settled; a hold keeps reviews waiting.",
    ...moved,
    {
      forgery: beforeInBrief("REVIEW", hold(supplier, "REVIEW"))
    }
  ),
  refusal(
    "moves/hold-lifted-by-other-purpose_fail",
    "A hold of the delivery was lifted as one of the review, which did not stand.",
    ...moved,
    {
      forgery: beforeInBrief("SUBMIT", hold(buyer, "DELIVERY"), lift(buyer, "REVIEW"))
    }
  )
]

const accepted: ReadonlyArray<Case> = [
  refusal(
    "moves/acceptance-twice_fail",
    "The same submission was accepted a second time; after an acceptance there is nothing left to review.",
    ...moved,
    {
      forgery: { history: (events) => void events.push(structuredClone(events[3]!)) }
    }
  ),
  refusal(
    "moves/concern-before-acceptance_fail",
    "A concern was raised about a confirmation that did not exist yet.",
    ...moved,
    {
      forgery: beforeInBrief("REVIEW", concern(buyer), dismiss(buyer))
    }
  ),
  refusal(
    "moves/issuance-while-contested_fail",
    "The record was issued while a concern stood; it would certify what is in doubt.",
    ...moved,
    {
      forgery: beforeInBrief("ISSUE", concern(buyer))
    }
  ),
  refusal(
    "moves/concern-after-withdrawal_fail",
    "A concern was raised after the confirmation was withdrawn; nothing happens after that.",
    ...moved,
    {
      forgery: followed("CONFIRMATION_WITHDRAWN", "STOPPED", withdraw(buyer), concern(supplier))
    }
  ),
  refusal(
    "moves/concern-about-another-confirmation_fail",
    "A concern names a confirmation that was never made here.",
    "history-moves",
    "CONFIRMATION_MISMATCH",
    {
      forgery: followed(
        "CONFIRMATION_CONTESTED",
        "PAUSED",
        withPayload(concern(buyer), { confirmationId: `confirmation_${uuid(88)}` })
      )
    }
  )
]

export const movesCases: ReadonlyArray<Case> = [...histories, ...delivered, ...accepted]
