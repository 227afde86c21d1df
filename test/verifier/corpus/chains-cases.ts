/** Cases on the authority chains: their set, their events, and the salts that open their links. */
import { editAuthority, editContent, hex } from "../forgeries.ts"
import { ids } from "../sample-ids.ts"
import { type Forgery, makeSample } from "../sample.ts"
import { at, base64url, jcs, keys, kid, type Members, signBytes, signPayload, uuid } from "../signing.ts"
import { delegated, refusal, repack } from "./samples.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"
import { segmentChanged } from "./record-jws.ts"

/** The buyer's agent created the agreement and issued the record; its grant has four events. */
const base = delegated("CREATE", "ISSUE")
const broken = ["authority-chain", "AUTHORITY_CHAIN"] as const
const missigned = ["authority-signature", "SIGNATURE_INVALID"] as const
const unopened = ["authority-salts", "AUTHORITY_SALT"] as const

const grantSays = (edit: (change: Members) => unknown): Forgery => editAuthority(0, (event) => edit(event["change"]))
const firstChain = (edit: (chain: Members) => unknown): Forgery => repack((content) => edit(content["authority"][0]))
/** Replaces the signature of the last event of the buyer's grant. */
const signRenewal = (sign: (event: Members) => string): Forgery => ({
  signAuthority: (event) => (event["grantId"] === ids.buyerGrant && event["kind"] === "RENEW" ? sign(event) : undefined)
})

const sets: ReadonlyArray<Case> = [
  okCase(
    "authority/of-both-sides_ok",
    "Agents of both sides acted, each under a grant whose whole chain is enclosed.",
    {
      base: makeSample
    }
  ),
  okCase("authority/of-one-agent_ok", "One agent created the agreement and issued the record; people did the rest.", {
    base
  }),
  refusal(
    "authority/chain-left-out_fail",
    "An agent acted under a grant whose chain is not enclosed, so nothing shows that it was allowed to.",
    "authority-set",
    "AUTHORITY_SET",
    {
      base,
      forgery: repack((content) => content["authority"].pop())
    }
  ),
  refusal(
    "authority/chain-of-nobody_fail",
    "A grant is enclosed under which nobody acted; the package holds the grants that acted and no other.",
    "authority-set",
    "AUTHORITY_SET",
    {
      base,
      forgery: repack((content) =>
        content["authority"].push({ ...content["authority"][0], grantId: `grant_${uuid(88)}` })
      )
    }
  ),
  refusal(
    "authority/chains-exchanged_fail",
    "The chains are not in the order of their grants, in which a package has one form only.",
    "authority-set",
    "AUTHORITY_SET",
    {
      base: makeSample,
      forgery: repack((content) => content["authority"].reverse())
    }
  ),
  refusal(
    "authority/signed-by-event-key_fail",
    "The grant was signed by the issuer's key for events, which is not for authority.",
    "authority-signature",
    "KEY_ROLE",
    { base, forgery: { signAuthority: (event) => signPayload("AUTHORITY", event, "EVENT") } }
  ),
  refusal(
    "authority/forged-under-trusted-kid_fail",
    "A stranger signed the renewal of a grant under the name of the issuer's key; the package round it is properly signed.",
    ...missigned,
    {
      base,
      forgery: signRenewal((event) =>
        signBytes(
          jcs({ alg: "EdDSA", kid: kid("AUTHORITY"), typ: event["schema"] }),
          jcs(event),
          keys.stranger.privateKey
        )
      )
    }
  ),
  refusal(
    "authority/changed-after-signing_fail",
    "The renewal of a grant was given another end after the issuer had signed it; the signature does not fit these bytes.",
    ...missigned,
    {
      base,
      forgery: signRenewal((event) =>
        segmentChanged(signPayload("AUTHORITY", event), 1, () =>
          base64url(jcs({ ...event, change: { ...event["change"], expiresAt: at(55) } }))
        )
      )
    }
  ),
  refusal(
    "authority/unknown-member_fail",
    "A grant has one member more, which could narrow or widen it.",
    "authority-form",
    "UNKNOWN_MEMBER",
    {
      base,
      forgery: grantSays((change) => (change["amountMax"] = 1000))
    }
  )
]

const chains: ReadonlyArray<Case> = [
  refusal("authority/chain-empty_fail", "The enclosed chain of the grant has no event, and so no grant.", ...broken, {
    base,
    forgery: firstChain((chain) => (chain["events"] = []))
  }),
  refusal(
    "authority/wrong-predecessor_fail",
    "An event of the chain names another one than the one before it.",
    ...broken,
    {
      base,
      forgery: editAuthority(2, (event) => (event["previous"] = hex("8")))
    }
  ),
  refusal(
    "authority/sequence-repeated_fail",
    "Two events of the chain have the number 2; each has its own.",
    ...broken,
    {
      base,
      forgery: editAuthority(2, (event) => (event["sequence"] = 2))
    }
  ),
  refusal(
    "authority/signed-later-than-happened_fail",
    "An event of the chain was signed a millisecond after it is said to have happened.",
    ...broken,
    {
      base,
      forgery: editAuthority(2, (event) => (event["issuedAt"] = at(2, 1)))
    }
  ),
  refusal(
    "authority/201-events_fail",
    "The list of the chain's events has 201 places; a package holds 200 of one grant at most.",
    "package-form",
    "LIMIT_SIZE",
    { base, forgery: editContent((content) => (content["authority"][0].events = Array(201).fill("e30"))) }
  ),
  refusal(
    "authority/first-event-removed_fail",
    "The grant itself was taken out of its chain; what was given cannot be seen.",
    ...broken,
    {
      base,
      forgery: firstChain((chain) => chain["events"].shift())
    }
  ),
  refusal(
    "authority/middle-event-removed_fail",
    "An event was taken out of the middle of the chain; it could have been a revocation.",
    ...broken,
    {
      base,
      forgery: firstChain((chain) => chain["events"].splice(1, 1))
    }
  ),
  refusal(
    "authority/second-grant_fail",
    "A second GRANT stands in the chain, which could give more than the first.",
    ...broken,
    {
      base,
      forgery: editAuthority(1, (event) => {
        const change = {
          agentId: ids.buyerAgent,
          organizationId: ids.buyerOrganization,
          subjectId: ids.buyer,
          role: "BUYER",
          actions: ["CREATE_PROJECT", "CONFIRM_COMPLETION"],
          subjectRequirements: [],
          expiresAt: at(50)
        }
        Object.assign(event, { kind: "GRANT", change })
      })
    }
  ),
  refusal("authority/generation-skipped_fail", "The first renewal has generation 3; one could be missing.", ...broken, {
    base,
    forgery: editAuthority(3, (event) => (event["change"].generation = 3))
  }),
  refusal(
    "authority/time-backwards_fail",
    "An event of the chain is a millisecond older than the one before it; time does not run backwards.",
    ...broken,
    {
      base,
      forgery: editAuthority(2, (event) => (event["occurredAt"] = event["issuedAt"] = at(0, 59_999)))
    }
  ),
  refusal(
    "authority/renewed-after-revocation_fail",
    "The grant was renewed after its revocation, which ends a chain.",
    ...broken,
    {
      base,
      forgery: editAuthority(2, (event) => Object.assign(event, { kind: "REVOKE", change: {} }))
    }
  ),
  refusal(
    "authority/chain-of-another-grant_fail",
    "Under one grant's id stands the genuine chain of another one.",
    ...broken,
    {
      base: makeSample,
      forgery: repack(({ authority }) => (authority[0].events = authority[1].events))
    }
  ),
  refusal(
    "authority/salt-opens-nothing_fail",
    "A salt does not open the link that it is given for, which so may be to any project.",
    ...unopened,
    {
      base,
      forgery: firstChain((chain) => (chain["salts"][0].salt = hex("9")))
    }
  ),
  refusal("authority/salt-twice_fail", "A salt is given twice; the list is in rising order.", ...unopened, {
    base,
    forgery: firstChain((chain) => chain["salts"].push(chain["salts"][0]))
  }),
  refusal(
    "authority/salt-for-another-project_fail",
    "A salt is given for the link to another project, which it does not open.",
    ...unopened,
    {
      base,
      forgery: firstChain((chain) => (chain["salts"][0].sequence = 2))
    }
  )
]

export const chainsCases: ReadonlyArray<Case> = [...sets, ...chains]
