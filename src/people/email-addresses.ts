/** E-mail addresses of people, as their issuer verified them at their newest sign-in; never entered here. */
import { Effect } from "effect"
import { inView } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import { PersonAddresses } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Null where no issuer has verified one. */
export const readEmailAddress = traced("people.readAddress")(function* (personId: string) {
  const known = yield* inView((reader) => reader.get(PersonAddresses, [personId]))
  return known?.email ?? null
})

/** Inside a transaction that holds the person: the issuer's current address replaces the earlier one. */
export const recordEmailAddress = Effect.fnUntraced(function* (
  transaction: Transaction,
  personId: string,
  email: string | null
) {
  const known = yield* transaction.get(PersonAddresses, [personId])
  if (email === (known?.email ?? null)) return
  if (email === null) return yield* transaction.remove(PersonAddresses, [personId])
  if (known === undefined) return yield* transaction.insert(PersonAddresses, { personId, email })
  return yield* transaction.update(PersonAddresses, [personId], { email })
})
