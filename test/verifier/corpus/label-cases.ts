/** Cases on the labels of a Commerce Record: each follows from the binding and the facts up to its entry. */
import {
  charge,
  checkout,
  dispute,
  observed,
  type Observation,
  paidObservations,
  payment,
  payout,
  refund,
  transfer,
  allObservations
} from "../sample-commerce.ts"
import { type Members, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { commerceFail, commerceOk } from "./commerce-inputs.ts"

const [notConfirmed, paid, refunded, disputed, transferred, paidOut] = [
  "PAYMENT_NOT_CONFIRMED",
  "PROVIDER_VERIFIED_PAYMENT",
  "PROVIDER_VERIFIED_REFUND",
  "DISPUTED",
  "PROVIDER_VERIFIED_TRANSFER",
  "PROVIDER_OBSERVED_PAYOUT"
] as const

const labelFail = (name: string, why: string, observations: ReadonlyArray<Observation>): Case =>
  commerceFail(`label/${name}_fail`, why, "entry-label", "LABEL_MISMATCH", { observations: () => observations })

/** All observations, with another label at this index. */
const relabelled = (index: number, label: string | null): ReadonlyArray<Observation> =>
  allObservations().map((one, at) => (at === index ? { ...one, label } : one))

/** Each kind of label given where its entry does not permit it, or withheld where it does. */
const moved: ReadonlyArray<Case> = [
  labelFail("checkout-raised", "An open checkout is labelled as a verified payment.", relabelled(0, paid)),
  labelFail("checkout-complete", "A complete checkout is labelled as not confirmed.", relabelled(1, notConfirmed)),
  labelFail("checkout-withheld", "An open checkout has no label.", relabelled(0, null)),
  labelFail("payment-withheld", "A payment with every bound value has no label.", relabelled(2, null)),
  labelFail("refund-withheld", "A succeeded refund has no label.", relabelled(5, null)),
  labelFail("dispute-withheld", "A dispute of the charge has no label.", relabelled(8, null)),
  labelFail("transfer-withheld", "A transfer to the bound account has no label.", relabelled(3, null)),
  labelFail("payout-withheld", "A paid payout of the transferred payment has no label.", relabelled(9, null)),
  labelFail("labels-exchanged", "Payment and transfer have each other's label.", [
    ...paidObservations().slice(0, 2),
    { ...paidObservations()[2]!, label: transferred },
    { ...paidObservations()[3]!, label: paid }
  ])
]

const first = paidObservations().slice(0, 3)

type Raised = readonly [name: string, why: string, changes: Members]

/** A payment with these facts carries the label of a verified one, which its record would not permit. */
const payments: ReadonlyArray<Case> = (
  [
    ["processing", "The payment is still processing.", { state: "PROCESSING" }],
    ["sum-too-large", "The payment is of one cent more than the price.", { amountMinor: 125_001 }],
    ["received-too-little", "One cent less than the price was received.", { amountReceivedMinor: 124_999 }],
    ["currency", "The payment is in another currency.", { currency: "USD" }],
    ["environment", "The payment was made in the other environment.", { environment: "LIVE" }],
    ["account", "The payment is to another account.", { recipientAccount: "acct_sim_2" }],
    ["account-unknown", "The provider states no account.", { recipientAccount: null }],
    ["order", "The payment is of another attempt.", { commerceOrderId: `commerce_${uuid(9)}` }],
    ["order-unknown", "The provider states no attempt.", { commerceOrderId: null }],
    ["source", "The payment is for another accepted source.", { acceptedSourceDigest: "0".repeat(64) }],
    ["no-charge", "The payment has no charge.", { charge: null }],
    ["charge-pending", "The charge is pending.", { charge: charge({ state: "PENDING" }) }],
    ["charge-sum", "The charge is of another sum.", { charge: charge({ amountMinor: 124_999 }) }],
    ["charge-captured-in-part", "A part was captured.", { charge: charge({ amountCapturedMinor: 124_999 }) }],
    ["charge-currency", "The charge is in another currency.", { charge: charge({ currency: "USD" }) }],
    ["charge-unpaid", "The charge is not paid.", { charge: charge({ paid: false }) }],
    ["charge-uncaptured", "The charge is not captured.", { charge: charge({ captured: false }) }]
  ] satisfies ReadonlyArray<Raised>
).map(([name, why, changes]) =>
  labelFail(`payment-${name}`, `The label says verified. ${why}`, [
    ...first.slice(0, 2),
    observed(4, "PAYMENT", payment(changes), paid)
  ])
)

/** An entry after the payment of `first` carries the label of its kind, which its facts do not permit. */
const later: ReadonlyArray<Case> = (
  [
    ["refund-pending", "The refund is pending.", "REFUND", refund({ state: "PENDING" }), refunded],
    ["refund-currency", "The refund is in another currency.", "REFUND", refund({ currency: "USD" }), refunded],
    ["refund-too-large", "The refund exceeds the price.", "REFUND", refund({ amountMinor: 125_001 }), refunded],
    ["refund-zero", "The refund is of nothing.", "REFUND", refund({ amountMinor: 0 }), refunded],
    ["refund-charge", "The refund is of another charge.", "REFUND", refund({ chargeId: "ch_sim_2" }), refunded],
    ["refund-no-charge", "The refund names no charge.", "REFUND", refund({ chargeId: null }), refunded],
    ["dispute-over", "The charge is not flagged any more.", "DISPUTE", dispute({ disputed: false }), disputed],
    ["dispute-charge", "The dispute is of another charge.", "DISPUTE", dispute({ chargeId: "ch_sim_2" }), disputed],
    [
      "transfer-account",
      "The transfer is to another account.",
      "TRANSFER",
      transfer({ destinationAccount: "acct_sim_2" }),
      transferred
    ],
    [
      "transfer-currency",
      "The transfer is in another currency.",
      "TRANSFER",
      transfer({ currency: "USD" }),
      transferred
    ],
    [
      "transfer-environment",
      "The transfer is in the other environment.",
      "TRANSFER",
      transfer({ environment: "LIVE" }),
      transferred
    ],
    [
      "transfer-too-large",
      "The transfer exceeds the price.",
      "TRANSFER",
      transfer({ amountMinor: 125_001 }),
      transferred
    ],
    ["transfer-zero", "The transfer is of nothing.", "TRANSFER", transfer({ amountMinor: 0 }), transferred],
    [
      "transfer-reversed-too-much",
      "More was reversed than transferred.",
      "TRANSFER",
      transfer({ amountReversedMinor: 125_001 }),
      transferred
    ],
    [
      "transfer-charge",
      "The transfer is of another charge.",
      "TRANSFER",
      transfer({ chargeId: "ch_sim_2" }),
      transferred
    ],
    ["payout-without-transfer", "No transfer to its payment was captured.", "PAYOUT", payout(), paidOut]
  ] as const
).map(([name, why, component, facts, label]) =>
  labelFail(name, `The label is given although it must not be. ${why}`, [
    ...first,
    observed(9, component, facts, label)
  ])
)

const payouts: ReadonlyArray<Case> = (
  [
    ["in-transit", "The payout has not arrived.", { state: "IN_TRANSIT" }],
    ["account", "The payout is of another account.", { account: "acct_sim_2" }],
    ["environment", "The payout is in the other environment.", { environment: "LIVE" }],
    ["payment", "The payout is of another payment.", { destinationPaymentId: "py_sim_2" }]
  ] satisfies ReadonlyArray<Raised>
).map(([name, why, changes]) =>
  labelFail(`payout-${name}`, `The label is given although it must not be. ${why}`, [
    ...paidObservations(),
    observed(9, "PAYOUT", payout(changes), paidOut)
  ])
)

const second = { charge: charge({ id: "ch_sim_2" }) }

const order: ReadonlyArray<Case> = [
  labelFail("refund-before-payment", "The refund is labelled before any payment was captured.", [
    observed(0, "REFUND", refund(), refunded),
    observed(4, "PAYMENT", payment(), paid)
  ]),
  labelFail("refund-without-any-charge", "Neither the refund nor the payment names a charge.", [
    ...first.slice(0, 2),
    observed(4, "PAYMENT", payment({ charge: null }), null),
    observed(9, "REFUND", refund({ chargeId: null }), refunded)
  ]),
  labelFail("refund-of-earlier-charge", "The refund is of the charge before the latest.", [
    ...first,
    observed(5, "PAYMENT", payment(second), paid),
    observed(9, "REFUND", refund(), refunded)
  ]),
  labelFail("payout-before-transfer", "The payout is labelled before its transfer was captured.", [
    ...first,
    observed(5, "PAYOUT", payout(), paidOut),
    observed(9, "TRANSFER", transfer(), transferred)
  ]),
  commerceOk(
    "label/refund-of-latest-charge_ok",
    "The refund is of the latest charge; that of the earlier has no label.",
    {
      observations: () => [
        ...first,
        observed(5, "PAYMENT", payment(second), paid),
        { ...observed(9, "REFUND", refund(), null), entity: "re_sim_1" },
        { ...observed(9, "REFUND", refund({ chargeId: "ch_sim_2" }), refunded), entity: "re_sim_2" }
      ]
    }
  ),
  commerceOk(
    "label/smallest-and-largest_ok",
    "Refunds of one cent and of the whole price, and a transfer reversed in full.",
    {
      observations: () => [
        ...first,
        observed(5, "TRANSFER", transfer({ amountReversedMinor: 125_000 }), transferred),
        { ...observed(9, "REFUND", refund({ amountMinor: 1 }), refunded), entity: "re_sim_1" },
        { ...observed(9, "REFUND", refund({ amountMinor: 125_000 }), refunded), entity: "re_sim_2" }
      ]
    }
  ),
  commerceOk("label/expired_ok", "The checkout expired without a payment.", {
    observations: () => [
      observed(0, "CHECKOUT", checkout(), notConfirmed),
      observed(70, "CHECKOUT", checkout({ state: "EXPIRED" }), notConfirmed)
    ]
  }),
  commerceOk("label/payment-lost-its-label_ok", "The payment was verified, and its charge then failed.", {
    observations: () => [
      ...first,
      observed(9, "PAYMENT", payment({ charge: charge({ state: "FAILED", paid: false }) }), null)
    ]
  }),
  commerceOk(
    "label/payout-of-unlabelled-transfer_ok",
    "The transfer is in part of another sum, and its payout is observed.",
    {
      observations: () => [
        ...first,
        observed(5, "TRANSFER", transfer({ currency: "USD" }), null),
        observed(9, "PAYOUT", payout(), paidOut)
      ]
    }
  )
]

export const labelCases: ReadonlyArray<Case> = [moved, payments, later, payouts, order].flat()
