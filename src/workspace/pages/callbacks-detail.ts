/** One subscription to callbacks: how it stands, what was told, and the forms that change and end it. */
import { Effect } from "effect"
import { personCaller } from "../../webhooks/subscriber.ts"
import { readHistory } from "../../webhooks/history.ts"
import { readSubscriptionOf } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { troublesOf } from "../../webhooks/troubles.ts"
import { seenState } from "../../webhooks/view.ts"
import { pathId, queryOf } from "../address.ts"
import { buttonForm } from "../button-form.ts"
import { checkbox } from "../choices.ts"
import { emptyForm, form, hidden, type FormState } from "../fields.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, notice, paragraph, section } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { exhaustedSection, historySection, type History } from "./callbacks-history.ts"
import { callbackFacts, callbackPath, callbacksPath, hostOf, readTitles, type Seen } from "./callbacks-seen.ts"

export const callbackAddress = `${callbacksPath}/:subscriptionId` as const

export const callbackDetail = signedInPage(callbackAddress, (visitor) =>
  Effect.gen(function* () {
    const subscriptionId = yield* pathId("subscriptionId", "webhook")
    return pageResponse(yield* showCallback(visitor, subscriptionId, { after: (yield* queryOf)("after") }))
  })
)

interface Around {
  readonly after?: string | undefined
  /** The form that ends it, as it was sent last. */
  readonly revocation?: FormState
}

export const showCallback = Effect.fnUntraced(function* (
  visitor: Visitor,
  subscriptionId: string,
  { after, revocation = emptyForm }: Around = {}
) {
  const { person, viewer } = visitor
  const { formToken } = viewer
  // Before what it shows is read: it numbers what has happened meanwhile.
  const read = yield* readHistory(personCaller(person), subscriptionId, after)
  const seen = yield* readSubscriptionOf(person, subscriptionId)
  // What it numbered was due a moment after it began.
  const history = { ...read, now: seen.now }
  const titleOf = yield* readTitles(visitor)
  const isOver = hasEnded(seenState(seen.row, seen.standing, seen.now))
  const troubles =
    isOver || seen.row.failures + seen.row.exhausted === 0 ? noTroubles : yield* troublesOf(subscriptionId)
  const onPage = new Set(history.deliveries.map(({ row }) => row.deliveryId))
  const exhausted = troubles.exhausted.filter(({ row }) => !onPage.has(row.deliveryId))
  const part = { history, after, formToken, titleOf }
  return page(
    {
      title: `Callbacks to ${hostOf(seen)}`,
      viewer,
      place: "callbacks",
      problems: isOver ? [] : revocation.problems
    },
    isOver
      ? null
      : warnings(seen, { isFromBeginning: after === undefined, unseen: unseenOf(seen, history, exhausted) }),
    callbackFacts({ seen, titleOf, lastTrouble: troubles.last }),
    exhausted.length === 0 ? null : exhaustedSection(exhausted, part),
    historySection(part),
    isOver
      ? paragraph("They have ended: nothing is sent any more, and they cannot be started again.")
      : [pauseSection(formToken, seen), secretSection(formToken, seen), endSection(formToken, seen, revocation)],
    paragraph(linkTo(callbacksPath, "All my callbacks"))
  )
})

const noTroubles = { last: null, exhausted: [] } satisfies Effect.Success<ReturnType<typeof troublesOf>>

/** How many failed for good and stand nowhere on this page. */
const unseenOf = ({ row }: Seen, { deliveries }: History, exhausted: History["deliveries"]): number =>
  row.exhausted - exhausted.length - deliveries.filter((one) => one.row.state === "EXHAUSTED").length

interface Unseen {
  readonly unseen: number
  readonly isFromBeginning: boolean
}

const warnings = ({ row, standing }: Seen, elsewhere: Unseen): Content => [
  standing === "HELD"
    ? notice("warning", paragraph("The access of the agent has expired: nothing is sent until it is renewed."))
    : null,
  row.exhausted > 0
    ? notice(
        "warning",
        paragraph(
          "Messages failed as often as they are tried. Nothing sends them by itself any more: find out what is wrong at the receiver, then send them again. ",
          whereExhausted(row.exhausted, elsewhere)
        )
      )
    : null
]

const whereExhausted = (exhausted: number, { unseen, isFromBeginning }: Unseen): string => {
  if (unseen <= 0) return "They are below."
  const way = isFromBeginning ? "go on to the messages after these" : "go through the messages from the beginning"
  return unseen >= exhausted
    ? `They are on other pages of what was told: ${way}.`
    : `Some are below, ${unseen} on other pages of what was told: ${way}.`
}

const pauseSection = (formToken: string, { row: { subscriptionId, isPaused } }: Seen): Element =>
  section(
    isPaused ? "Resume" : "Pause",
    paragraph(
      isPaused
        ? "What waits goes on, each message when its next attempt is due, and what happens from then on is told. What happened during the pause is never told."
        : "What waits is kept and not sent. What happens during the pause is never told."
    ),
    buttonForm({
      action: `${callbackPath(subscriptionId)}/${isPaused ? "resume" : "pause"}`,
      formToken,
      label: isPaused ? "Resume these callbacks" : "Pause these callbacks"
    })
  )

const secretSection = (formToken: string, { row, agentName }: Seen): Element =>
  section(
    "The secret",
    row.grantId === null
      ? [
          paragraph(
            "With another secret, the program at the other end takes nothing for genuine until it has the new one. Do this if the secret was lost, or if somebody else may know it."
          ),
          form(
            {
              action: `${callbackPath(row.subscriptionId)}/rotate-secret`,
              formToken,
              submitLabel: "Make another secret, and show it"
            },
            // What the person saw when they began: sent twice it would end a secret that nobody has read.
            hidden("secretVersion", String(row.secretVersion))
          )
        ]
      : paragraph("It belongs to the agent ", untrusted(agentName ?? row.grantId), ", which alone can change it.")
  )

const endSection = (formToken: string, { row }: Seen, state: FormState): Element =>
  section(
    "End",
    paragraph("Nothing is sent any more from then on, not even what waits. What was sent stays in the list."),
    form(
      {
        action: `${callbackPath(row.subscriptionId)}/revoke`,
        formToken,
        submitLabel: "End these callbacks",
        isDangerous: true
      },
      checkbox(state, { name: "confirmed", label: "I end these callbacks. It cannot be taken back." })
    )
  )
