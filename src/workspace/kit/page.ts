/** The layout of every page: a heading, a navigation, the main content and a skip link. */
import { h } from "preact"
import type { ScriptName } from "../../ports/client-scripts.ts"
import { visible } from "../../canonical/visible-characters.ts"
import { type Content, hasId, render, untrusted, type Element } from "./html.ts"
import { errorSummary, formTokenField, type Problem } from "./fields.ts"
import { home, signInPath } from "./local-path.ts"
import { navigation, type Place } from "./navigation.ts"
import { blocks } from "./parts.ts"
import { scriptPaths } from "./script-paths.ts"

/** What a form did, and what happens next; the warning is about a part that failed, as an e-mail. */
export interface Acknowledgement {
  readonly did: string
  readonly next: string
  readonly warning?: string
}

/** The signed-in person, as pages show them. */
export interface Viewer {
  readonly name: string
  readonly organization?: string
  /** The CSRF token of this session, for the sign-out form. */
  readonly formToken: string
  /** Of the form that led here; every page shows it below its heading. */
  readonly acknowledgement?: Acknowledgement
}

export interface PageOptions {
  /** The heading and the document title. */
  readonly title: string
  /** Absent where no person is signed in. */
  readonly viewer?: Viewer | undefined
  /** The navigation entry that is marked as current. */
  readonly place?: Place
  /** The problems of the form on this page. */
  readonly problems?: ReadonlyArray<Problem>
  /** The heading of the problems, where nothing was sent. */
  readonly problemsTitle?: string
  /** The script that enhances this page. */
  readonly script?: ScriptName
}

export const page = (
  { title, viewer, place, problems = [], problemsTitle, script = "pages" }: PageOptions,
  ...contents: ReadonlyArray<Content>
) =>
  render(
    h(
      "html",
      { lang: "en", dir: "ltr" },
      head(problems.length === 0 ? title : `Problem: ${title}`, script),
      h(
        "body",
        null,
        h("a", { class: "skip", href: "#main" }, "Skip to the content"),
        header(viewer, place),
        h(
          "main",
          { id: "main", tabIndex: -1 },
          h("h1", null, untrusted(title)),
          errorSummary(problems, (id) => hasId(contents, id), problemsTitle),
          acknowledged(viewer?.acknowledgement),
          blocks(contents)
        )
      )
    )
  )

/** `autoFocus` moves the focus here, as to an error summary, also without script: a screen reader reads it first. */
const acknowledged = (acknowledgement: Acknowledgement | undefined): Content =>
  acknowledgement === undefined
    ? null
    : h(
        "div",
        {
          class: acknowledgement.warning === undefined ? "notice done" : "notice warning",
          role: "status",
          tabIndex: -1,
          autoFocus: true
        },
        h("p", null, h("strong", null, acknowledgement.did), " ", acknowledgement.next),
        acknowledgement.warning === undefined ? null : h("p", null, acknowledgement.warning)
      )

const head = (title: string, script: ScriptName): Element =>
  h(
    "head",
    null,
    h("meta", { charset: "utf-8" }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("meta", { name: "robots", content: "noindex" }),
    h("title", null, `${visible(title)} – Countersign`),
    h("link", { rel: "icon", href: "/workspace/icon.svg", type: "image/svg+xml" }),
    h("link", { rel: "stylesheet", href: "/workspace/style.css" }),
    h("script", { type: "module", src: scriptPaths[script] })
  )

const header = (viewer: Viewer | undefined, place: Place | undefined): Element =>
  h(
    "header",
    null,
    h(
      "div",
      { class: "bar" },
      h("a", { class: "brand", href: home }, "Countersign"),
      viewer === undefined ? h("a", { href: signInPath() }, "Sign in") : signedIn(viewer)
    ),
    viewer === undefined ? null : navigation(place)
  )

const signedIn = ({ name, organization, formToken }: Viewer): Element =>
  h(
    "div",
    { class: "viewer" },
    h(
      "p",
      null,
      h("span", { class: "read-only" }, "Signed in as "),
      untrusted(name),
      organization === undefined ? null : [", ", untrusted(organization)]
    ),
    h(
      "form",
      { method: "post", action: "/workspace/sign-out" },
      formTokenField(formToken),
      h("button", { type: "submit", class: "quiet" }, "Sign out")
    )
  )
