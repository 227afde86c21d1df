/** The secret that signs the requests of a subscription (6.3). */
import { Effect } from "effect"
import { Secrets } from "../ports/secrets.ts"
import type { SubscriptionRow } from "./store.ts"

/** Undefined without the key that sealed it, so that no verifiable signature can be made. */
export const openSecret = ({ sealedSecret }: Pick<SubscriptionRow, "sealedSecret">) =>
  Effect.map(Secrets, (secrets) => secrets.open("CALLBACK", sealedSecret))
