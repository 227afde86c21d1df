/** Creates and ends the token of a task's assistant; the token is shown only in the response. */
import { Effect, Layer, Schema } from "effect"
import { h } from "preact"
import { createAssistant, endAssistant } from "../../participation/items.ts"
import { Installation } from "../../ports/installation.ts"
import { decodeForm } from "../kit/form.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, notice, paragraph, section, time } from "../kit/parts.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { readOwnTask, taskPath } from "./detail.ts"

const shownAt = "/workspace/tasks/:itemId"

const NoFields = Schema.Struct({})

const make = signedInForm({ path: "/workspace/tasks/:itemId/assistant", shownAt }, (visitor, sent) =>
  Effect.gen(function* () {
    const { item } = yield* readOwnTask(visitor)
    const { requestId, form } = yield* takeRequestId(sent)
    yield* decodeForm(NoFields, form)
    const request = requestOf(visitor, requestId, "createAssistant", { pathIds: [item.itemId] })
    const { token, expiresAt } = yield* createAssistant(visitor.person, request, item.itemId)
    const { siteUrl } = yield* Installation
    return pageResponse(
      page(
        { title: "The assistant’s token", viewer: visitor.viewer, place: "tasks" },
        notice(
          "warning",
          paragraph("This token is shown only here. It permits reading this task and adding notes to it.")
        ),
        facts([
          ["Task", untrusted(item.title)],
          ["Token", code(token)],
          ["Ends", [time(expiresAt), ", when you sign out, or with the task"]]
        ]),
        section(
          "How the assistant uses it",
          paragraph("It sends the token with every request:"),
          paragraph(h("code", null, "Authorization: Bearer ", h("em", null, "the token"))),
          paragraph("It reads the task at ", h("code", null, `${siteUrl}/api/participation/item`), ".")
        ),
        paragraph("If this page did not arrive, send the form again within ten minutes: the same token is shown."),
        paragraph(linkTo(taskPath(item.itemId), "Go to the task"))
      )
    )
  })
)

const end = signedInForm({ path: "/workspace/tasks/:itemId/assistant/end", shownAt }, (visitor, sent) =>
  Effect.gen(function* () {
    const { item } = yield* readOwnTask(visitor)
    yield* decodeForm(NoFields, sent)
    yield* endAssistant(visitor.person, item.itemId)
    return seeOther(taskPath(item.itemId))
  })
)

export const taskAssistant = Layer.mergeAll(make, end)
