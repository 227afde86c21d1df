/** Verifies the authority chains of a package, and checks every action against them. */
import {
  type AuthorityChain,
  checkAuthoritySet,
  checkChain,
  checkEventAuthority,
  checkHumanDecision,
  checkSalts,
  decisionsReservedForPeople
} from "./authority.ts"
import type { History } from "./check-inputs.ts"
import { derive, type Ledger, type CheckResult, combineList } from "./ledger.ts"
import { readChainedEvent } from "./verified-objects.ts"
import { authorityEvent, type PackageContent, type ResultPackage, schemaNames } from "./schemas.ts"
import { verifyJwsAs, type TrustContext } from "./verified-jws.ts"

export const verifyAuthority = (
  ledger: Ledger,
  content: CheckResult<ResultPackage>,
  history: CheckResult<History>,
  context: TrustContext
): CheckResult<ReadonlyArray<AuthorityChain>> => {
  const enclosed = ledger.check("authority-set", "authority", { history, content }, checkAuthoritySet)
  const opened = enclosed.known
    ? combineList(enclosed.value.map((chain, index) => openChain(ledger, `authority/${index + 1}`, chain, context)))
    : enclosed
  const chains = ledger.each("authority-chain", "authority", opened, {}, checkChain)
  const salted = ledger.each("authority-salts", "authority", chains, { history }, checkSalts)
  ledger.each("event-authority", "event", history, { chains: salted }, checkEventAuthority)
  return chains
}

export const verifyHumanDecisions = (
  ledger: Ledger,
  content: CheckResult<PackageContent>,
  history: CheckResult<History>
): void => {
  const reserved = derive(content, ({ agreement }) => decisionsReservedForPeople(agreement))
  ledger.each("event-human-decision", "event", history, { reserved }, checkHumanDecision)
}

const openChain = (
  ledger: Ledger,
  label: string,
  { grantId, events, salts }: ResultPackage["authority"][number],
  context: TrustContext
): CheckResult<AuthorityChain> => {
  const opening = verifyJwsAs(schemaNames.authority, "AUTHORITY")
  const signed = ledger.each("authority-signature", label, { known: true, value: events }, { ...context }, opening)
  const opened = ledger.each("authority-form", label, signed, {}, (event) => readChainedEvent(authorityEvent, event))
  return derive(opened, (events) => ({ grantId, events, salts }))
}
