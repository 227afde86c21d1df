/** Cases on recorded authority: acts of agents under their grants, and acts that are reserved for people. */
import { editAgreement, editAuthority, hex } from "../forgeries.ts"
import { afterIssuance, withPayload, supersede } from "../sample-steps.ts"
import { type Forgery } from "../sample.ts"
import { at, type Members, uuid } from "../signing.ts"
import { delegated, elsewhere, repack, unrelatedPerson, refusal } from "./samples.ts"
import { chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { okCase } from "./case-builders.ts"

/** The buyer's agent created the agreement and issued the record; its grant has four events. */
const base = delegated("CREATE", "ISSUE")
const unopened = ["authority-salts", "AUTHORITY_SALT"] as const

const grantSays = (edit: (change: Members) => unknown): Forgery => editAuthority(0, (event) => edit(event["change"]))
const revokedAt = (time: string): Forgery =>
  editAuthority(3, (event) => Object.assign(event, { kind: "REVOKE", change: {}, occurredAt: time, issuedAt: time }))
/** The grant was revoked at that time, and the agent names the head before the revocation. */
const outdated = (revoked: string): Forgery => chainForgeries(revokedAt(revoked), { head: 2 })
const firstChain = (edit: (chain: Members) => unknown): Forgery => repack((content) => edit(content["authority"][0]))

const acts: ReadonlyArray<Case> = [
  refusal(
    "authority/head-cut-off_fail",
    "The chain was cut before the event under which the agent acted; what it allowed cannot be seen.",
    "event-authority",
    "AUTHORITY_HEAD",
    {
      base,
      forgery: firstChain((chain) => chain["events"].pop())
    }
  ),
  refusal(
    "authority/revoked_fail",
    "The agent acted under a grant that its own chain shows to be revoked.",
    "event-authority",
    "AUTHORITY_REVOKED",
    {
      base,
      forgery: revokedAt(at(3))
    }
  ),
  okCase("authority/revoked-since_ok", "The grant was revoked after the agent's last act, which stays authorized.", {
    base,
    forgery: outdated(at(19))
  }),
  refusal(
    "authority/head-outdated_fail",
    "The agent acted a minute after its grant was revoked, as of the moment before the revocation.",
    "event-authority",
    "AUTHORITY_HEAD",
    { base, forgery: outdated(at(9)) }
  ),
  okCase(
    "authority/head-five-seconds-old_ok",
    "By another machine's clock the grant was revoked five seconds before the act, and so perhaps after it.",
    {
      base: delegated("ISSUE"),
      forgery: outdated(at(17, 55_000))
    }
  ),
  refusal(
    "authority/head-older-than-five-seconds_fail",
    "The grant was revoked five seconds and a millisecond before the act, which no two clocks of the issuer explain.",
    "event-authority",
    "AUTHORITY_HEAD",
    { base: delegated("ISSUE"), forgery: outdated(at(17, 54_999)) }
  ),
  refusal(
    "authority/expired_fail",
    "The agent acted in the millisecond in which its grant expired; it was no longer in force.",
    "event-authority",
    "AUTHORITY_EXPIRED",
    {
      base,
      forgery: editAuthority(3, (event) => (event["change"].expiresAt = at(18)))
    }
  ),
  okCase("authority/about-to-expire_ok", "The agent acted in the last millisecond of its grant.", {
    base,
    forgery: editAuthority(3, (event) => (event["change"].expiresAt = at(18, 1)))
  }),
  refusal(
    "authority/renewal-after-the-act_fail",
    "The agent acted under a renewal that came a millisecond after its act.",
    "event-authority",
    "AUTHORITY_TIME",
    {
      base,
      forgery: editAuthority(3, (event) => (event["occurredAt"] = event["issuedAt"] = at(10, 1)))
    }
  ),
  refusal(
    "authority/of-another-person_fail",
    "The grant is another person's than the one in whose name the agent acted.",
    "event-authority",
    "AUTHORITY_SUBJECT",
    {
      base,
      forgery: grantSays((change) => (change["subjectId"] = unrelatedPerson))
    }
  ),
  refusal(
    "authority/of-another-organization_fail",
    "The grant is another organization's than the one for which the agent acted.",
    "event-authority",
    "AUTHORITY_SUBJECT",
    {
      base,
      forgery: grantSays((change) => (change["organizationId"] = elsewhere))
    }
  ),
  refusal(
    "authority/of-the-other-role_fail",
    "The grant is for the supplier's role; the agent acted in the buyer's.",
    "event-authority",
    "AUTHORITY_SUBJECT",
    {
      base,
      forgery: grantSays((change) => (change["role"] = "SUPPLIER"))
    }
  ),
  refusal(
    "authority/of-another-agent_fail",
    "The grant is for another agent than the one that acted.",
    "event-authority",
    "AUTHORITY_AGENT",
    {
      base,
      forgery: grantSays((change) => (change["agentId"] = `agent_${uuid(88)}`))
    }
  ),
  refusal(
    "authority/action-not-granted_fail",
    "The agent issued a record, which its grant does not allow.",
    "event-authority",
    "AUTHORITY_ACTION",
    {
      base,
      forgery: grantSays((change) => change["actions"].pop())
    }
  ),
  okCase("authority/acceptance-by-agent_ok", "The agent accepted the submission under a grant that allows it.", {
    base: delegated("REVIEW")
  }),
  refusal(
    "authority/acceptance-by-reviewer_fail",
    "The agent accepted a submission; its grant allows reviews, but no acceptance.",
    "event-authority",
    "AUTHORITY_ACTION",
    { base: delegated("REVIEW"), forgery: grantSays((change) => change["actions"].splice(2, 1)) }
  ),
  refusal(
    "authority/without-link_fail",
    "No salt shows that the grant reaches this project; it may be for others only.",
    "event-authority",
    "AUTHORITY_SCOPE",
    {
      base,
      forgery: firstChain((chain) => (chain["salts"] = []))
    }
  ),
  refusal(
    "authority/linked-after-the-act_fail",
    "The grant was linked to this project after the agent's last act.",
    "event-authority",
    "AUTHORITY_SCOPE",
    {
      base,
      forgery: {
        head: 1,
        authority: (event, grant, index) => {
          if (grant === "buyer" && index >= 2) event["occurredAt"] = event["issuedAt"] = at(19)
        }
      }
    }
  ),
  refusal(
    "authority/superseded-under-old-grant_fail",
    "The supplier's agent accepted other terms under a grant that reaches this project, but not their own.",
    "event-authority",
    "AUTHORITY_SCOPE",
    { forgery: afterIssuance(supersede("supplier")) }
  ),
  refusal(
    "authority/successor-of-another-project_fail",
    "The terms that were accepted are of another project than the salt of the agent's grant opens.",
    ...unopened,
    {
      forgery: afterIssuance(
        withPayload(supersede("successor"), { successor: { projectId: `delivery_${uuid(88)}`, digest: hex("1") } })
      )
    }
  )
]

/** The terms reserve a decision for people. */
const reserve = (...humanDecisions: ReadonlyArray<string>): Forgery =>
  editAgreement(({ terms }) => (terms.subjectRequirements = [{ id: "r1", statement: "By people", humanDecisions }]))

const reserved: ReadonlyArray<Case> = [
  okCase("authority/decision-kept-and-respected_ok", "The terms keep every review for people, and a person accepted.", {
    base,
    forgery: reserve("REVIEW", "ACCEPT", "RESPOND")
  }),
  refusal(
    "authority/issuance-kept-for-people_fail",
    "An agent issued a record that the terms let only people issue, whatever its grant allows.",
    "event-human-decision",
    "HUMAN_DECISION",
    {
      base,
      forgery: reserve("ISSUE")
    }
  ),
  refusal(
    "authority/acceptance-kept-for-people_fail",
    "An agent accepted where the terms keep acceptances for people, whatever its grant allows.",
    "event-human-decision",
    "HUMAN_DECISION",
    {
      base: delegated("REVIEW"),
      forgery: reserve("ACCEPT")
    }
  )
]

export const authorityCases: ReadonlyArray<Case> = [...acts, ...reserved]
