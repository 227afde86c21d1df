/** The start page: pending actions, memberships and identity. */
import { Effect } from "effect"
import { form } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { home, signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, folded, linkTo, nextStep, notice, paragraph, section, table, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityList } from "../organization/member.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { publicPage } from "../kit/signed-in.ts"
import { storedCode } from "./join-code.ts"
import { firstSteps } from "./first-steps.ts"
import { readWaiting, waitingSection } from "./waiting-items.ts"

export const homePages = publicPage(home, (visitor) =>
  visitor === undefined ? Effect.succeed(welcome) : showHome(visitor)
)

const welcome = page(
  { title: "Countersign" },
  "Agree on exact terms, deliver by digest, decide criterion by criterion, and keep a record that verifies offline.",
  nextStep(signInPath(), "Sign in"),
  paragraph(linkTo("/workspace/specifications", "Search public specifications"))
)

const showHome = Effect.fnUntraced(function* ({ person, viewer }: Visitor) {
  const [memberships, code] = yield* Effect.all([readMemberships(person), storedCode])
  const waiting = yield* readWaiting(person, memberships)
  return page(
    { title: "Home", viewer, place: "home" },
    code === undefined ? null : notice("warning", paragraph("You entered the code of an invitation. ", readInvitation)),
    memberships.length === 0 ? withoutOrganization(viewer) : null,
    waitingSection(waiting),
    waiting.items.length === 0 ? yield* firstSteps(person, memberships) : null,
    memberships.length === 0 ? null : organizations(memberships),
    whoYouAre(person)
  )
})

const readInvitation = linkTo("/workspace/join", "Read the invitation")

const organizations = (memberships: ReadonlyArray<Membership>) =>
  folded(
    "Your organizations",
    table({
      caption: "Where you are a member, and what you may do there",
      columns: ["Organization", "You may", "Until"],
      rows: memberships.map(({ organizationName, authorities, validUntil }) => [
        untrusted(organizationName),
        authorityList(authorities),
        time(validUntil)
      ]),
      empty: ""
    })
  )

const withoutOrganization = ({ formToken }: Viewer) =>
  section(
    "You are in no organization",
    "Join one with the code of an invitation, or create your own workspace, in which you have every authority.",
    form({ action: "/workspace/account", formToken, submitLabel: "Create your own workspace" })
  )

const whoYouAre = ({ name, personId }: Visitor["person"]) =>
  folded(
    "Who you are",
    facts([
      ["Name", untrusted(name)],
      ["Person id", code(personId)]
    ]),
    "Give your person id to people who name you in an agreement or add you as a contact. It grants no access."
  )
