/** The page of a person's own task, with the forms that finish it and create its assistant. */
import { Effect, Layer, Result, Schema } from "effect"
import { finishItem, readItemAsPerson } from "../../participation/items.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import { buttonForm } from "../button-form.ts"
import { checkbox } from "../choices.ts"
import { emptyForm, form, type FormState } from "../fields.ts"
import { decodeForm } from "../form.ts"
import { mustBeTicked } from "../form-values.ts"
import type { Content } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, paragraph, section, time } from "../parts.ts"
import { newRequestId, requestIdField } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { noteSection, taskFacts, type SeenItem } from "./tasks-item.ts"

const address = "/workspace/tasks/:itemId"

export const taskPath = (itemId: string): `/workspace/${string}` => `/workspace/tasks/${itemId}`

/** Reads a task of the person; tasks that their party gave out are shown at the project. */
export const readOwnTask = Effect.fnUntraced(function* ({ person }: Visitor) {
  const model = yield* readItemAsPerson(person, yield* pathId("itemId", "item"))
  return model.isOwn ? model : yield* refuse("NOT_FOUND")
})

const showTask = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const model = yield* readOwnTask(visitor)
    return pageResponse(taskPage(visitor, model, emptyForm, yield* newRequestId))
  })
)

const taskPage = ({ viewer }: Visitor, model: SeenItem, state: FormState, requestId: string): string => {
  const { item } = model
  const { formToken } = viewer
  return page(
    { title: item.title, viewer, place: "tasks", problems: state.problems },
    taskFacts(model),
    noteSection(model),
    item.state === "OPEN"
      ? [assistantSection(formToken, model, requestId), doneSection(formToken, model, state)]
      : null,
    paragraph(linkTo("/workspace/tasks", "All my tasks"))
  )
}

const assistantSection = (formToken: string, { item, assistantUntil }: SeenItem, requestId: string): Content =>
  section(
    "Assistant",
    paragraph(
      "An assistant is a program of yours that reads this task and adds notes to it, and has no other access. Its token ends when you sign out, after a day, or with the task."
    ),
    assistantUntil === null
      ? paragraph("No assistant has a token now.")
      : [
          paragraph("An assistant has a token until ", time(assistantUntil), ". A new token replaces it."),
          buttonForm({
            action: `${taskPath(item.itemId)}/assistant/end`,
            formToken,
            label: "End the assistant’s token"
          })
        ],
    form(
      { action: `${taskPath(item.itemId)}/assistant`, formToken, submitLabel: "Create and show a token" },
      requestIdField(requestId)
    )
  )

const doneSection = (formToken: string, { item }: SeenItem, state: FormState): Content =>
  section(
    "Done",
    form(
      { action: `${taskPath(item.itemId)}/done`, formToken, submitLabel: "Mark as done" },
      checkbox(state, {
        name: "confirmed",
        label: "I am done with this task. It cannot be taken back, and its assistant stops."
      })
    )
  )

const Done = Schema.Struct({ confirmed: mustBeTicked("Tick the box to mark the task as done.") })

const done = signedInForm({ path: `${address}/done`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
    const model = yield* readOwnTask(visitor)
    const decoded = yield* decodeForm(Done, sent)
    if (Result.isFailure(decoded)) {
      return pageResponse(taskPage(visitor, model, decoded.failure, yield* newRequestId), 400)
    }
    const { itemId } = yield* finishItem(visitor.person, model.item.itemId)
    return seeOther(taskPath(itemId))
  })
)

export const taskDetail = Layer.mergeAll(showTask, done)
