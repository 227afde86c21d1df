/** The answer to a read or a command of a project: its view, written as it is (2.4). */
import { Effect, Schema } from "effect"
import { jsonAnswer, withMemberText } from "../http/json-text.ts"
import { limits } from "../vocabulary/limits.ts"
import type { ProjectView } from "./output.ts"

type View = typeof ProjectView.Type
type ViewedEvent = View["project"]["events"][number]

/** The path parameter of a project (2.1); any other text is an unknown project. */
export const ProjectPath = {
  id: Schema.String.check(Schema.isPattern(/^delivery_[a-f0-9-]{36}$/u, { expected: "a project id" }))
}

/** The query of every operation that answers with a project. */
export const ProjectQuery = {
  eventsAfter: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(0|[1-9][0-9]?|100)$/u, { expected: `a whole number from 0 to ${limits.eventsPerProject}` })
    ).annotate({
      description:
        "Answer with the events after this sequence alone; without it with all of them. Where the issuer lost events and stated it, numbers are left out."
    })
  )
}

export interface ProjectQuery {
  readonly eventsAfter?: string
}

/** A decoded request for a command on a project: `payload` is the envelope of an agent or of a person, and the input. */
export interface CommandRequest<Envelope, Input> {
  readonly endpoint: { readonly identifier: string }
  readonly params: { readonly id: string }
  readonly query: ProjectQuery
  readonly payload: Envelope & { readonly input: Input }
}

/** Answers with the view of an operation. A property test holds every view to its schema. */
export const answerProject = <E, R>(operation: Effect.Effect<View, E, R>, { eventsAfter = "0" }: ProjectQuery) =>
  Effect.map(operation, (view) => jsonAnswer(textOf(view, Number(eventsAfter))))

export const textOf = (view: View, eventsAfter: number): string => {
  const events = view.project.events.filter(({ sequence }) => sequence > eventsAfter)
  const project = withMemberText(view.project, "events", `[${events.map(textOfEvent).join()}]`)
  return withMemberText(view, "project", project)
}

const textOfEvent = (event: ViewedEvent): string => {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = JSON.stringify(event)
  texts.set(event, text)
  return text
}

/** The view of an event never changes, and is kept with its event. */
const texts = new WeakMap<ViewedEvent, string>()
