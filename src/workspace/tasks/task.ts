/** The page of a person's own task, with the forms that finish it and create and end its assistant. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { createAssistant, endAssistant, finishItem, readItemAsPerson } from "../../participation/items.ts"
import { Installation } from "../../ports/installation.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { buttonForm } from "../kit/button-form.ts"
import { form, type FormState } from "../kit/fields.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, linkTo, paragraph, section, time } from "../kit/parts.ts"
import { newRequestId, requestIdField, requestOf, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { confirmationForm, decodeConfirmation } from "../kit/confirmation.ts"
import { decodeNoFields } from "../kit/form.ts"
import { formPage, idempotentFormPage } from "../kit/form-page.ts"
import { bearerHeader, secretPage } from "../kit/secret-page.ts"
import { noteSection, taskFacts, type TaskPageModel } from "./item.ts"

const address = "/workspace/tasks/:itemId"

export const taskPath = (itemId: string): `/workspace/${string}` => `/workspace/tasks/${itemId}`

/** Reads a task of the person; tasks that their party gave out are shown at the project. */
const readOwnTask = Effect.fnUntraced(function* ({ person }: Visitor) {
  const model = yield* readItemAsPerson(person, yield* pathId("itemId", "item"))
  return model.isOwn ? model : yield* refuse("NOT_FOUND")
})

const detail = signedInPage(address, function* (visitor) {
  const model = yield* readOwnTask(visitor)
  return showTask(visitor, model, yield* newForm)
})

const showTask = ({ viewer }: Visitor, model: TaskPageModel, { state, requestId }: PageForm): string => {
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
    "An assistant is a program of yours that reads this task and adds notes to it, and has no other access. Its token ends when you sign out, after a day, or with the task.",
    assistantUntil === null
      ? "No assistant has a token now."
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
    confirmationForm(state, {
      action: `${taskPath(item.itemId)}/done`,
      formToken,
      submitLabel: "Mark as done",
      statement: "I am done with this task. It cannot be taken back, and its assistant stops."
    })
  )

const done = formPage(
  { path: `${address}/done`, shownAt: address },
  {
    read: readOwnTask,
    decode: decodeConfirmation("Tick the box to mark the task as done."),
    show: (visitor, model, { state }) =>
      Effect.map(newRequestId, (requestId) => showTask(visitor, model, { state, requestId })),
    run: ({ visitor, subject: { item } }) =>
      Effect.as(finishItem(visitor.person, item.itemId), {
        did: "You marked the task as done.",
        next: "The person who invited you sees it; its assistant has stopped."
      })
  }
)

const createToken = idempotentFormPage(
  { path: `${address}/assistant`, shownAt: address },
  {
    read: readOwnTask,
    decode: decodeNoFields,
    run: ({ visitor, subject: { item }, requestId }) =>
      Effect.gen(function* () {
        const request = requestOf(visitor, requestId, "createAssistant", { pathIds: [item.itemId] })
        const { token, expiresAt } = yield* createAssistant(visitor.person, request, item.itemId)
        const { siteUrl } = yield* Installation
        return secretPage(visitor, {
          title: "The assistant’s token",
          place: "tasks",
          warning: "This token is shown only here. It permits reading this task and adding notes to it.",
          facts: [
            ["Task", untrusted(item.title)],
            ["Token", code(token)],
            ["Ends", [time(expiresAt), ", when you sign out, or with the task"]]
          ],
          usage: section(
            "How the assistant uses it",
            "It sends the token with every request:",
            bearerHeader,
            paragraph("It reads the task at ", h("code", null, `${siteUrl}/api/participation/item`), ".")
          ),
          ifLost: "If this page did not arrive, send the form again within ten minutes: the same token is shown.",
          back: [taskPath(item.itemId), "Go to the task"]
        })
      })
  }
)

const endToken = formPage(
  { path: `${address}/assistant/end`, shownAt: address },
  {
    read: readOwnTask,
    decode: decodeNoFields,
    run: ({ visitor, subject: { item } }) =>
      Effect.as(endAssistant(visitor.person, item.itemId), {
        did: "You ended the assistant’s token.",
        next: "The assistant can no longer read the task. You can create another token."
      })
  }
)

export const taskPage = Layer.mergeAll(detail, done, createToken, endToken)
