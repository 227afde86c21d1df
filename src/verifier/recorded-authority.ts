/** Opens the authority chains of a package and holds every action against them. */
import {
  type AuthorityChain,
  checkAuthoritySet,
  checkChain,
  checkEventAuthority,
  checkHumanDecision,
  checkSalts,
  decisionsKeptForPeople
} from "./authority.ts"
import type { History } from "./history.ts"
import { derive, type Ledger, type Proven, together } from "./ledger.ts"
import { openLinked } from "./objects.ts"
import { authorityEvent, type ResultPackage, schemas } from "./shapes.ts"
import { openSigned, type Under } from "./signed.ts"

export const verifyAuthority = (
  ledger: Ledger,
  content: Proven<ResultPackage>,
  history: Proven<History>,
  under: Under
): Proven<ReadonlyArray<AuthorityChain>> => {
  const held = ledger.check("authority-set", "authority", { history, content }, ({ history, content }) =>
    checkAuthoritySet(history, content.authority)
  )
  const opened = held.known
    ? together(held.value.map((chain, index) => openChain(ledger, `authority/${index + 1}`, chain, under)))
    : held
  const chains = ledger.each("authority-chain", "authority", opened, {}, checkChain)
  const salted = ledger.each("authority-salts", "authority", chains, { history }, (chain, { history }) =>
    checkSalts(chain, history)
  )
  ledger.each("event-authority", "event", history, { salted }, (event, { salted }) =>
    checkEventAuthority(event.content, salted)
  )
  const kept = derive(content, (one) => decisionsKeptForPeople(one.agreement))
  ledger.each("event-human-decision", "event", history, { kept }, (event, { kept }) =>
    checkHumanDecision(event.content, kept)
  )
  return chains
}

const openChain = (
  ledger: Ledger,
  label: string,
  chain: ResultPackage["authority"][number],
  under: Under
): Proven<AuthorityChain> => {
  const given: Proven<ReadonlyArray<string>> = { known: true, value: chain.events }
  const signed = ledger.each("authority-signature", label, given, { ...under }, (event, { trust, checkedAt }) =>
    openSigned(event, { schema: schemas.authority, purpose: "AUTHORITY" }, trust, checkedAt)
  )
  const events = ledger.each("authority-form", label, signed, {}, (event) => openLinked(authorityEvent, event))
  return derive(events, (events) => ({ grantId: chain.grantId, events, salts: chain.salts }))
}
