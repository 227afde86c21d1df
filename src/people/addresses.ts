/** Where people get their mail: as their issuer said at their newest sign-in, and never asked of them here. */
import { Effect } from "effect"
import { Storage, type Transaction } from "../ports/storage.ts"
import { PersonAddresses } from "./store.ts"

/** Null where nobody vouched for one. */
export const readAddress = Effect.fn("people.readAddress")(function* (personId: string) {
  const storage = yield* Storage
  const known = yield* storage.view((reader) => reader.get(PersonAddresses, [personId]))
  return known?.email ?? null
})

/** Inside a transaction that holds the person: what the issuer says now takes the place of what it said before. */
export const keepAddress = Effect.fnUntraced(function* (
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
