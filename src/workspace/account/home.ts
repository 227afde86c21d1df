/** The start page: pending actions, memberships and identity. */
import { Effect } from "effect"
import { form } from "../kit/fields.ts"
import { untrusted } from "../kit/html.ts"
import { home, signInPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, linkTo, list, nextStep, notice, paragraph, section, table, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { storedCode } from "./join-code.ts"
import { pendingActionsSection } from "./waiting-items.ts"
import { authorityList } from "../organization/member.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { publicPage } from "../kit/signed-in.ts"

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
  return page(
    { title: "Home", viewer, place: "home" },
    code === undefined ? null : notice("warning", paragraph("You entered the code of an invitation. ", readInvitation)),
    memberships.length === 0 ? withoutOrganization(viewer) : null,
    yield* pendingActionsSection(person),
    memberships.length === 0 ? null : organizations(memberships),
    whoYouAre(person),
    section(
      "What you can do",
      list([
        linkTo("/workspace/connect", "Connect an agent that shows you a code"),
        linkTo("/workspace/agents", "See your agents, renew or revoke their access"),
        linkTo("/workspace/projects", "See your projects, decide on them, pause and resume agents"),
        linkTo("/workspace/proposals", "See the proposals of your organizations and those addressed to you"),
        linkTo("/workspace/callbacks", "See your webhooks and their deliveries"),
        linkTo("/workspace/shared-records", "See the records that others share with you"),
        linkTo("/workspace/specifications", "Search public specifications, and start a draft from one"),
        linkTo("/workspace/funding", "See the result credits of your organizations"),
        linkTo("/workspace/join", "Enter the code of an invitation"),
        linkTo("/workspace/account", "See your account and this session")
      ])
    )
  )
})

const readInvitation = linkTo("/workspace/join", "Read the invitation")

const organizations = (memberships: ReadonlyArray<Membership>) =>
  section(
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
  section(
    "Who you are",
    facts([
      ["Name", untrusted(name)],
      ["Person id", code(personId)]
    ]),
    "Give your person id to people who name you in an agreement or add you as a contact. It grants no access."
  )
