/** Cases of closures that verify. */
import { allObservations, opened } from "../sample-commerce.ts"
import type { Case } from "./case.ts"
import { closureOk } from "./closure-inputs.ts"

export const closureCases: ReadonlyArray<Case> = [
  closureOk("paid", "The accepted delivery was paid, and the sum transferred to the supplier."),
  closureOk("unpaid", "The checkout of the selected attempt was opened and never paid; the assurance says so.", {
    payment: { observations: () => [{ ...opened }] }
  }),
  closureOk("unobserved", "Nothing was captured of the attempt; the closure states no payment.", {
    payment: { observations: () => [] }
  }),
  closureOk("second-attempt", "The first attempt expired; the order record of the second holds its release.", {
    attempt: 2
  }),
  closureOk("refunded", "The payment was refunded in part, reversed and disputed; the assurance states all of it.", {
    payment: { observations: () => [...allObservations()] }
  })
]
