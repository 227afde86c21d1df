/** The layout of every page: a heading, a navigation, the main content and a skip link. */
import { h } from "preact"
import { type Content, render, untrusted, visible, type Element } from "./html.ts"
import { errorSummary, formTokenField, type Problem } from "./fields.ts"
import { home, signInPath } from "./local-path.ts"
import { navigation, type Place } from "./navigation.ts"
import { blocks } from "./parts.ts"

/** The signed-in person, as pages show them. */
export interface Viewer {
  readonly name: string
  readonly organization?: string
  /** The CSRF token of this session, for the sign-out form. */
  readonly formToken: string
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
}

export const page = ({ title, viewer, place, problems = [] }: PageOptions, ...contents: ReadonlyArray<Content>) =>
  render(
    h(
      "html",
      { lang: "en", dir: "ltr" },
      head(problems.length === 0 ? title : `Problem: ${title}`),
      h(
        "body",
        null,
        h("a", { class: "skip", href: "#main" }, "Skip to the content"),
        header(viewer, place),
        h(
          "main",
          { id: "main", tabIndex: -1 },
          h("h1", null, untrusted(title)),
          errorSummary(problems),
          blocks(contents)
        )
      )
    )
  )

const head = (title: string): Element =>
  h(
    "head",
    null,
    h("meta", { charset: "utf-8" }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("meta", { name: "robots", content: "noindex" }),
    h("title", null, `${visible(title)} – Countersign`),
    h("link", { rel: "icon", href: "/workspace/icon.svg", type: "image/svg+xml" }),
    h("link", { rel: "stylesheet", href: "/workspace/style.css" })
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
