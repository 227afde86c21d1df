/** A person's account: who vouches for them, this session, and the workspace that they made for themselves. */
import { Effect, Layer, Result, Schema } from "effect"
import { removeAccount } from "../../access/account.ts"
import { clearCookie } from "../../http/cookies.ts"
import { createAccount } from "../../people/accounts.ts"
import { readIdentity, readStanding } from "../../people/standing.ts"
import { emptyForm, form, textField, type FormState } from "../fields.ts"
import { decodeForm } from "../form.ts"
import { line } from "../form-values.ts"
import { untrusted } from "../html.ts"
import { signInAgainPath, signInPath } from "../local-path.ts"
import { page } from "../page.ts"
import { code, facts, linkTo, list, nextStep, notice, paragraph, section, time } from "../parts.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage, type Visitor } from "../signed-in.ts"
import { keptCode } from "./join-code.ts"
import { joinPath } from "./join-terms.ts"

const path = "/workspace/account"

const showAccount = signedInPage(path, (visitor) =>
  Effect.map(accountPage(visitor, emptyForm), (html) => pageResponse(html))
)

/** Whoever needed a workspace for an invitation goes back to it. */
const make = signedInForm(path, ({ person }) =>
  Effect.gen(function* () {
    yield* createAccount(person)
    return seeOther((yield* keptCode) === undefined ? path : joinPath)
  })
)

const removal = Schema.Struct({ word: line("The word", 20) })

const remove = signedInForm(`${path}/remove`, (visitor, sent) =>
  Effect.gen(function* () {
    const decoded = yield* decodeForm(removal, sent)
    const problem = { field: "word", message: `Type the word “${confirmation}” to remove the workspace.` }
    if (Result.isFailure(decoded) || decoded.success.word.toLowerCase() !== confirmation) {
      return pageResponse(yield* accountPage(visitor, { sent: sent.fields, problems: [problem] }), 400)
    }
    yield* removeAccount(visitor.person)
    return pageResponse(removedPage).pipe(clearCookie("session"), clearCookie("signIn"), clearCookie("invitation"))
  })
)

const confirmation = "remove"

const removedPage = page(
  { title: "Your workspace was removed" },
  notice("done", paragraph("Every agent that you connected in it has lost its access, and all your sessions ended.")),
  paragraph("Agreements and records stay as they are: the other side keeps its part of them."),
  nextStep(signInPath(), "Sign in")
)

const accountPage = Effect.fnUntraced(function* ({ person, viewer }: Visitor, state: FormState) {
  const [{ account, memberships }, { issuer }] = yield* Effect.all([readStanding(person), readIdentity(person)])
  const own = memberships.find(({ organizationId }) => organizationId === account?.organizationId)
  return page(
    { title: "Account", viewer, place: "account", problems: state.problems },
    section(
      "You",
      facts([
        ["Name", untrusted(person.name)],
        ["Person id", code(person.personId)],
        ["Vouched for by", untrusted(issuer)]
      ])
    ),
    section(
      "This session",
      facts([
        ["Signed in", time(person.authenticatedAt)],
        ["Ends", "when you sign out, after an hour without use, and twelve hours after you signed in"]
      ]),
      paragraph(linkTo(signInAgainPath(path), "Sign in again"))
    ),
    own === undefined ? withoutWorkspace(viewer.formToken) : removalOf(own.organizationName, viewer.formToken, state)
  )
})

const withoutWorkspace = (formToken: string) =>
  section(
    "A workspace of your own",
    paragraph("You have none. In one you have every authority, and you can connect agents that act for you."),
    form({ action: path, formToken, submitLabel: "Make a workspace of your own" })
  )

const removalOf = (name: string, formToken: string, state: FormState) =>
  section(
    "Remove your workspace",
    paragraph("Your own workspace is ", untrusted(name), ". Removing it cannot be taken back:"),
    list([
      "every agent that you connected in it loses its access at once,",
      "your membership in it ends, and with it all that was granted under it,",
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

export const accountPages = Layer.mergeAll(showAccount, make, remove)
