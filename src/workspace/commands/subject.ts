/** The subject of commands, such as a project or a proposal: what the pages of any command need to know of it. */
import { Effect } from "effect"
import type { HttpRouter } from "effect/http"
import type { IdempotentRequest } from "../../replay/idempotency.ts"
import type { IdKind } from "../../vocabulary/ids.ts"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import type { FormSubmission } from "../kit/form.ts"
import type { Content, Element } from "../kit/html.ts"
import type { Place } from "../kit/navigation.ts"
import type { Acknowledgement } from "../kit/page.ts"
import { handlerOf, type HandlerBody, type PageHandler } from "../kit/page-route.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The label of an act, and the last segment of its page's path. */
export interface ActLabel {
  readonly name: string
  readonly path: string
}

/** A decision that the person chooses on a form. */
export interface DecisionLabel {
  readonly name: string
  /** What it means, before the person chooses it. */
  readonly about: string
  /** What the person did by it, in the past tense. */
  readonly outcome: string
  readonly acknowledgement: Acknowledgement
}

/** What all subjects of a kind have in common. */
export interface SubjectKind<Act extends string = string> {
  /** The noun in sentences. */
  readonly name: string
  /** The entry of the navigation, and the last segment of the path of the list. */
  readonly place: Place
  readonly idKind: IdKind
  readonly acts: { readonly [A in Act]: ActLabel }
  /** Why an act is blocked, by refusal code. */
  readonly blockedReason: (code: string) => string
}

export interface BlockedAct {
  readonly action: string
  readonly code: string
  readonly reason: string
}

/** One subject as the pages of all commands show it. */
export interface SubjectView extends SubjectKind {
  readonly id: string
  readonly head: string
  /** The acts of the person. */
  readonly hints: {
    readonly availableActions: ReadonlyArray<string>
    readonly blockedActions: ReadonlyArray<BlockedAct>
  }
  /** The title with what identifies the subject independently of it. */
  readonly title: () => Element
  /** The state, and the next action of each party. */
  readonly stateFacts: () => Element
  /** The section of the events after this head; null where there are none. */
  readonly eventsSince: (head: string) => Content
  /** Why the person has none of these acts. */
  readonly missingReason: (acts: ReadonlyArray<string>) => string
  readonly refusalText: (refused: Refusal, acts: ReadonlyArray<string>) => Content
  /** The next step after a refusal; undefined where the text contains it. */
  readonly refusalStep: (refused: Refusal) => string | undefined
}

/** The person and the subject of a page. */
export interface PageContext<Model = unknown> {
  readonly visitor: Visitor
  readonly model: Model
  readonly view: SubjectView
}

/** A decoded command of a person, bound to the head that its page showed. */
export interface RequestedCommand<Command> {
  readonly id: string
  readonly expectedHead: string
  readonly command: Command
  /** The organization, where the person acts for several. */
  readonly organizationId?: string
}

export interface Subject<Model, Act extends string, Command, R> extends SubjectKind<Act> {
  /** The field of a form that carries the shown head. */
  readonly headField: string
  /** Other fields that the pages fill in themselves; each occurs at most once. */
  readonly hiddenFields: ReadonlyArray<string>
  /** The refusal of an outdated head. */
  readonly staleCode: RefusalCode
  readonly open: (visitor: Visitor, id: string) => Effect.Effect<PageContext<Model>, Refusal, R>
  readonly run: (
    visitor: Visitor,
    request: IdempotentRequest,
    command: RequestedCommand<Command>
  ) => Effect.Effect<{ readonly emailUpdate?: "FAILED" | "DISABLED" | undefined }, Refusal, R>
  /** The page of a refusal with its cause, where the person may learn it; other refusals are passed on. */
  readonly explain: (visitor: Visitor, refused: Refusal) => PageHandler<R>
}

/** The parts of a subject that its routes need. */
export type Routed<R> = Pick<Subject<never, never, never, R>, "name" | "place" | "idKind" | "explain">

export const subjectPath = ({ place }: Pick<SubjectKind, "place">, id: string): `/workspace/${string}` =>
  `/workspace/${place}/${id}`

/** A page below the subject's own; the empty path is the subject's own page. */
export const subjectPage = <R, Body extends HandlerBody>(
  subject: Routed<R>,
  path: "" | `/${string}`,
  show: (visitor: Visitor, id: string) => Body
) => signedInPage(routeOf(subject, path), (visitor) => explained(subject, visitor, (id) => show(visitor, id)))

/** The form of a page below the subject's own, or of its own page. */
export const subjectForm = <R, Body extends HandlerBody>(
  subject: Routed<R>,
  path: `/${string}`,
  take: (visitor: Visitor, id: string, sent: FormSubmission) => Body,
  shownAt: "subject" | "path" = "path"
) =>
  signedInForm(
    shownAt === "path" ? routeOf(subject, path) : { path: routeOf(subject, path), shownAt: routeOf(subject, "") },
    (visitor, sent) => explained(subject, visitor, (id) => take(visitor, id, sent))
  )

const explained = <R, Body extends HandlerBody>(
  { name, idKind, explain }: Routed<R>,
  visitor: Visitor,
  handle: (id: string) => Body
) =>
  pathId(`${name}Id`, idKind).pipe(
    Effect.flatMap((id) => handlerOf(() => handle(id))),
    Effect.catchTag("Refusal", (refused) => explain(visitor, refused))
  )

const routeOf = <R>({ name, place }: Routed<R>, path: string) =>
  `/workspace/${place}/:${name}Id${path}` as const satisfies HttpRouter.PathInput

/** True where one of these acts is available now. */
export const isAvailable = ({ hints }: Pick<SubjectView, "hints">, acts: ReadonlyArray<string>): boolean =>
  hints.availableActions.some((one) => acts.includes(one))

/** True for acts of this person, whether available now or blocked. */
export const isOwnAct = ({ hints }: Pick<SubjectView, "hints">, acts: ReadonlyArray<string>): boolean =>
  isAvailable({ hints }, acts) || hints.blockedActions.some(({ action }) => acts.includes(action))
