/** The page of a person's own task, with the forms that finish it and create its assistant. */
import { Effect, Layer, Result, Schema } from "effect"
import { finishItem, readItemAsPerson } from "../../participation/items.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { buttonForm } from "../kit/button-form.ts"
import { checkbox } from "../kit/choices.ts"
import { emptyForm, form, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { requiredCheckbox } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph, section, time } from "../kit/parts.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { noteSection, taskFacts, type TaskPageModel } from "./item.ts"

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

const taskPage = ({ viewer }: Visitor, model: TaskPageModel, state: FormState, requestId: string): string => {
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

const assistantSection = (formToken: string, { item, assistantUntil }: TaskPageModel, requestId: string): Content =>
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

const doneSection = (formToken: string, { item }: TaskPageModel, state: FormState): Content =>
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

const Done = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to mark the task as done.") })

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
