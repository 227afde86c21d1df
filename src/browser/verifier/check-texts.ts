/** What each check of the verifier tests, as a sentence for the people who read its report in a browser. */

/** Undefined for a check that this page does not know: its id is shown alone. */
export const textOfCheck = (id: string): string | undefined => texts[id] ?? commonText(id)

/** The checks that every signed object has. */
const commonText = (id: string): string | undefined => {
  const [, name = "", kind] = /^(.*)-(signature|form|issuer)$/.exec(id) ?? []
  const object = signedObjects[name]
  if (object === undefined) return undefined
  switch (kind) {
    case "signature":
      return `A key of your key file signed exactly the bytes of ${object}, for this purpose and while the key was valid.`
    case "form":
      return `The members of ${object} are exactly those of its format.`
    default:
      return `The issuer and the environment of ${object} are those of your key file.`
  }
}

const signedObjects: { readonly [name: string]: string } = {
  authority: "an event in the history of a grant",
  closure: "the closure",
  commerce: "the Commerce Record",
  "commerce-status": "the status of the payment",
  event: "an event of the history",
  gap: "a statement of lost events",
  link: "the link between the two agreements",
  order: "the Result Order record",
  package: "the package",
  passport: "the list of the passport",
  record: "the record",
  reference: "the history reference",
  snapshot: "the copy of the next agreement",
  status: "the status",
  summary: "a public summary"
}

const texts: { readonly [id: string]: string } = {
  "checked-at": "The time of the check is a UTC time with three fraction digits.",
  "trust-file": "The key file has the format of issuer keys, and each of its keys can be used.",
  "authority-policy": "The authority policy has its format.",
  "artifact-file": "The file is one strict JSON document, or one signed text.",
  "status-file": "A status is given only for a file that is not a status itself.",
  "artifact-envelope": "The outermost members of the file are those of a kind of file that this verifier knows.",
  "artifact-keys": "Keys that are enclosed in the file itself are never used.",
  "artifact-metadata": "Members beside the signed record are not signed and are not used.",

  "event-chain": "Each event names its number and the hash of the event before it, in the order of time.",
  "event-agreement": "Each event refers to this agreement.",
  "event-human-decision": "A decision that the agreement reserves for people was made by a person.",
  "event-authority": "An agent acted under a grant that allowed this action on this project at that moment.",
  "event-anchor": "Your policy has the grant under which the agent acted, and it was valid then.",
  "gap-place": "A statement of lost events fits the place where events are missing.",
  "history-moves": "Each event was allowed in the state that the events before it had reached.",
  "history-signatures": "The agreement and the acceptance were signed as the agreement requires.",
  "history-parties": "Each event was made by the party of the agreement that may make it.",
  "agreement-criteria": "The agreement has criteria, each with a name of its own.",
  "agreement-version": "The version of the agreement and the version before it fit together.",
  "submission-chain": "Each delivery and each review names the delivery that it follows.",
  "submission-event": "The enclosed delivery is the last one of the history, and the one that was reviewed.",
  "review-event": "The enclosed review is the one review of the history that accepted the delivery.",
  "acceptance-criteria": "The delivery answers every criterion once, and the review finds each of them met.",
  "acceptance-files": "The files that the reviewer checked are exactly those of the delivery, by name and SHA-256.",
  "record-agreement": "The record names this project, and the digest and version of this agreement.",
  "record-parties": "The record names the parties of this agreement.",
  "record-acceptance": "The record names the delivery, the review and the confirmation that are enclosed.",
  "record-head": "The record names the hash of the history up to its issuance.",
  "record-issue": "The history has one event of the issuance, and it names this record.",
  "package-time": "The package was signed after the last event that it encloses.",
  "authority-set": "The package encloses the history of exactly those grants under which agents acted.",
  "authority-chain":
    "The history of a grant has no gap, begins with the grant, and ends with its revocation if there was one.",
  "authority-salts": "What the package discloses of a grant concerns only this project or its successor.",
  "authority-anchor": "Your policy names the grant, its person and its organization.",
  "manifest-set": "The list of contents names exactly the objects of the package, in their order.",
  "manifest-entry": "An object has the kind, the size and the digest that the list of contents states.",

  "status-window": "The status is valid for five minutes from its signing.",
  "status-subject": "The status is about this project, this agreement and this record.",
  "status-head": "The status is not older than the history of the package, and agrees with its end.",
  "status-fresh": "The status had not expired at the time of the check.",
  "status-nonce": "The status repeats a number that its requester chose: compare it with yours.",

  "passport-set": "The passport lists 1 to 20 results, each once, with one summary for each.",
  "passport-entry": "A summary is the one that the passport lists, and about the same supplier.",
  "publication-status": "A signed statement of five minutes says that the result is public.",

  "commerce-digest": "The digest beside the Commerce Record is that of its bytes.",
  "entry-chain": "An entry of the payment's journal has its number and the hash of the entry before it.",
  "entry-change": "An entry of the journal states something new about the payment.",
  "entry-label": "The label of an entry is the one that its facts permit.",
  "journal-head": "The Commerce Record names the number of entries, and the hash of the last.",
  "commerce-status-record": "The status of the payment is about this Commerce Record.",
  "commerce-status-latest": "The status of the payment is not older than the Commerce Record.",
  "commerce-status-components": "The parts of the payment's status agree with each other and with the record.",
  "commerce-status-observation": "What the status says of a part of the payment agrees with the entries of the record.",
  "commerce-status-fresh": "The provider was last asked about this part within the hour before the check.",

  "order-terms": "The digest of the order's terms is that of the enclosed terms.",
  "order-financial": "The events of the order form a history without a gap, and each was allowed.",
  "order-source": "The payment's source is the digest over this order and its agreement.",
  "closure-revoked": "Your key file does not revoke the key that signed the closure.",
  "closure-key-time": "Nothing establishes that the key was valid when it signed this older kind of closure.",
  "closure-references": "Every reference of the closure names the object that it encloses, with its digest.",
  "closure-agreement": "The order is about this agreement.",
  "closure-parties": "Buyer and supplier of the order and of the payment are those of the agreement.",
  "closure-delivery": "The order is about this delivery.",
  "closure-review": "The order is about this review and its confirmation.",
  "closure-result": "The order is about this record.",
  "closure-package": "The order was made over exactly this package.",
  "closure-attempt": "The payment is an attempt of this order.",
  "closure-item": "What is paid for is this record.",
  "closure-account": "The payment is at the provider and for the account that the order names.",
  "closure-environment": "The payment is in the environment of the provider that the order names.",
  "closure-currency": "The payment is in the currency of the order.",
  "closure-amount": "The payment is of the amount of the order.",
  "closure-times": "The parts of the closure were signed in the order in which they rest on each other.",
  "closure-assurance":
    "What the closure says of payment, refunds and disputes follows from the entries of its journal.",

  "lineage-cooperate": "The history reference names exactly one result of the passport: that of this closure.",
  "lineage-passport": "The history reference was made on this passport.",
  "lineage-original": "The link names this history reference and this first transaction.",
  "lineage-next": "Reference, link and copy are about one next agreement, which its supplier confirmed.",
  "lineage-supplier": "The supplier of the next agreement is the organization that supplied this one.",
  "lineage-times": "The parts were signed in the order in which they rest on each other."
}
