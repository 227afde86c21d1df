/** The account page: the identity provider, this session, and the person's own workspace. */
import { Effect, Layer, Result, Schema } from "effect"
import { removeAccount } from "../../access/account.ts"
import { clearCookie } from "../../http/cookies.ts"
import { createAccount } from "../../people/accounts.ts"
import { listMembersInForce } from "../../people/memberships.ts"
import { endOtherSessions } from "../../people/sessions.ts"
import { readIdentity, readProfile } from "../../people/profile.ts"
import { unknownSignInTime } from "../../ports/sign-in.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { emptyForm, form, textField, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { line } from "../kit/form-values.ts"
import { untrusted } from "../kit/html.ts"
import { signInAgainPath, signInPath } from "../kit/local-path.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, list, nextStep, notice, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { formPage } from "../kit/form-page.ts"
import { storedCode } from "./join-code.ts"
import { joinPath } from "./join-terms.ts"

const path = "/workspace/account"

const showAccount = signedInPage(path, (visitor) => accountPage(visitor, emptyForm))

/** A person who needed a workspace to accept an invitation returns to it. */
const make = signedInForm(path, function* (visitor) {
  yield* createAccount(visitor.person)
  return yield* acknowledge(visitor, (yield* storedCode) === undefined ? path : joinPath, {
    did: "Your workspace was created.",
    next: "You can make agreements, accept invitations and connect agents now."
  })
})

const removal = Schema.Struct({ word: line("The word", 20) })

const remove = formPage(
  { path: `${path}/remove`, shownAt: path },
  {
    read: () => Effect.void,
    decode: (sent) =>
      Effect.map(decodeForm(removal, sent), (decoded) =>
        Result.isSuccess(decoded) && decoded.success.word.toLowerCase() === confirmation
          ? decoded
          : Result.fail({ sent: sent.fields, problems: [unconfirmed] })
      ),
    show: (visitor, _, { state }) => accountPage(visitor, state),
    run: ({ visitor }) =>
      Effect.gen(function* () {
        const own = yield* ownWorkspace(visitor)
        yield* removeAccount(visitor.person)
        return pageResponse(removedPage(own?.otherMembers ?? 0)).pipe(
          clearCookie("session"),
          clearCookie("signIn"),
          clearCookie("invitation")
        )
      })
  }
)

const confirmation = "remove"
const unconfirmed = { field: "word", message: `Type the word “${confirmation}” to remove the workspace.` }

const removedPage = (otherMembers: number) =>
  page(
    { title: "Your workspace was removed" },
    notice(
      "done",
      "Every agent that you connected in it has lost its access, and all your sessions have ended.",
      otherMembers === 0
        ? null
        : paragraph(
            otherMembers === 1
              ? "The one other member has lost their membership, and their agents in it have stopped."
              : `The ${otherMembers} other members have lost their membership, and their agents in it have stopped.`
          )
    ),
    "Agreements and records stay as they are: the other party keeps its copy of them.",
    nextStep(signInPath(), "Sign in")
  )

const accountPage = Effect.fnUntraced(function* ({ person, viewer }: Visitor, state: FormState) {
  const [own, { issuer }] = yield* Effect.all([ownWorkspace({ person }), readIdentity(person)])
  return page(
    { title: "Account", viewer, place: "account", problems: state.problems },
    section(
      "You",
      facts([
        ["Name", untrusted(person.name)],
        ["Person id", code(person.personId)],
        ["Identity provider", untrusted(issuer)]
      ])
    ),
    section(
      "This session",
      facts([
        [
          "Signed in",
          person.authenticatedAt === unknownSignInTime ? "not reported by the provider" : time(person.authenticatedAt)
        ],
        ["Ends", "when you sign out, after an hour without use, and twelve hours after you signed in"]
      ]),
      paragraph(linkTo(signInAgainPath(path), "Sign in again"))
    ),
    otherSessions(viewer.formToken),
    own === undefined ? withoutWorkspace(viewer.formToken) : removalOf(own, viewer.formToken, state)
  )
})

/** The workspace that the person created, where the person is still a member. */
const ownWorkspace = Effect.fnUntraced(function* ({ person }: Pick<Visitor, "person">) {
  const { account, memberships } = yield* readProfile(person)
  const own = memberships.find((one) => one.organizationId === account?.organizationId && one.isInForce)
  if (own === undefined) return undefined
  const members = yield* listMembersInForce(person, own.organizationId)
  const others = members.filter(({ personId }) => personId !== person.personId)
  return { organizationName: own.organizationName, otherMembers: others.length }
})

type OwnWorkspace = NonNullable<Effect.Success<ReturnType<typeof ownWorkspace>>>

const otherSessions = (formToken: string) =>
  section(
    "Other sessions",
    "You may be signed in on other devices too. Task assistants that you created there end with the session.",
    form({ action: `${path}/end-others`, formToken, submitLabel: "End all my other sessions" })
  )

const withoutWorkspace = (formToken: string) =>
  section(
    "Your own workspace",
    "You have none. In your own workspace you have every authority and can connect agents that act for you.",
    form({ action: path, formToken, submitLabel: "Create your own workspace" })
  )

const removalOf = ({ organizationName, otherMembers }: OwnWorkspace, formToken: string, state: FormState) =>
  section(
    "Remove your workspace",
    paragraph("Your own workspace is ", untrusted(organizationName), ". Removing it cannot be taken back:"),
    list([
      "every agent that you connected in it loses its access at once,",
      "your membership in it ends, and with it everything granted under it,",
      ...membersLost(otherMembers),
      "all your sessions end, on every device, and you are signed out here.",
      "Agreements and records stay, and so do your memberships in other organizations."
    ]),
    form(
      { action: `${path}/remove`, formToken, submitLabel: "Remove the workspace", isDangerous: true },
      textField(state, {
        name: "word",
        label: `Type “${confirmation}” to confirm`,
        size: "short",
        autoCapitalize: "none"
      })
    )
  )

const membersLost = (count: number): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        count === 1
          ? "the one other member loses their membership, and all their agents in it stop for good,"
          : `the ${count} other members lose their membership, and all their agents in it stop for good,`
      ]

const endOthers = signedInForm({ path: `${path}/end-others`, shownAt: path }, ({ person, viewer }) =>
  Effect.as(
    endOtherSessions(person),
    page(
      { title: "Your other sessions have ended", viewer, place: "account" },
      notice("done", "You are signed in only here. Your agents continue."),
      paragraph(linkTo(path, "Go to your account"))
    )
  )
)

export const accountPages = Layer.mergeAll(showAccount, make, remove, endOthers)
