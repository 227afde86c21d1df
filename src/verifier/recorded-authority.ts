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
import { authorityEvent, type PackageContent, type ResultPackage, schemas } from "./shapes.ts"
import { signedAs, type Under } from "./signed.ts"

export const verifyAuthority = (
  ledger: Ledger,
  content: Proven<ResultPackage>,
  history: Proven<History>,
  under: Under
): Proven<ReadonlyArray<AuthorityChain>> => {
  const held = ledger.check("authority-set", "authority", { history, content }, checkAuthoritySet)
  const opened = held.known
    ? together(held.value.map((chain, index) => openChain(ledger, `authority/${index + 1}`, chain, under)))
    : held
  const chains = ledger.each("authority-chain", "authority", opened, {}, checkChain)
  const salted = ledger.each("authority-salts", "authority", chains, { history }, checkSalts)
  ledger.each("event-authority", "event", history, { chains: salted }, checkEventAuthority)
  return chains
}

export const verifyHumanDecisions = (
  ledger: Ledger,
  content: Proven<PackageContent>,
  history: Proven<History>
): void => {
  const kept = derive(content, (one) => decisionsKeptForPeople(one.agreement))
  ledger.each("event-human-decision", "event", history, { kept }, checkHumanDecision)
}

const openChain = (
  ledger: Ledger,
  label: string,
  { grantId, events, salts }: ResultPackage["authority"][number],
  under: Under
): Proven<AuthorityChain> => {
  const opening = signedAs(schemas.authority, "AUTHORITY")
  const signed = ledger.each("authority-signature", label, { known: true, value: events }, { ...under }, opening)
  const opened = ledger.each("authority-form", label, signed, {}, (event) => openLinked(authorityEvent, event))
  return derive(opened, (events) => ({ grantId, events, salts }))
}
