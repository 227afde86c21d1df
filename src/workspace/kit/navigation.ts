/** The navigation: the places of the workspace in four groups, each of which opens without script and by keyboard. */
import { h } from "preact"
import type { Element } from "./html.ts"
import { home } from "./local-path.ts"

/** In the order of the navigation. */
const groups = {
  Work: {
    projects: ["Projects", "/workspace/projects"],
    proposals: ["Proposals", "/workspace/proposals"],
    drafts: ["Drafts", "/workspace/drafts"],
    tasks: ["Tasks", "/workspace/tasks"]
  },
  Records: {
    shared: ["Shared records", "/workspace/shared-records"],
    orders: ["Result Orders", "/workspace/orders"],
    funding: ["Credits", "/workspace/funding"],
    specifications: ["Public specifications", "/workspace/specifications"]
  },
  Agents: {
    agents: ["Agents", "/workspace/agents"],
    connect: ["Connect an agent", "/workspace/connect"],
    webhooks: ["Webhooks", "/workspace/callbacks"]
  },
  Organization: {
    members: ["Members", "/workspace/members"],
    contacts: ["Contacts", "/workspace/contacts"],
    join: ["Join", "/workspace/join"],
    account: ["Account", "/workspace/account"]
  }
} as const

type Groups = typeof groups

/** The entry that a page marks as current. */
export type Place = "home" | { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

export const navigation = (current: Place | undefined): Element =>
  h(
    "nav",
    { "aria-label": "Workspace" },
    h(
      "ul",
      { "data-enhance": "close-groups" },
      h("li", { class: "home" }, entry(["Home", home], current === "home")),
      Object.entries(groups).map(([label, places]) => h("li", null, group(label, places, current)))
    )
  )

// A browser keeps at most one group of the same name open.
const group = (label: string, places: { readonly [place: string]: Entry }, current: Place | undefined): Element =>
  h(
    "details",
    { name: "navigation" },
    h("summary", { "aria-current": current !== undefined && current in places ? "true" : undefined }, label),
    h(
      "ul",
      null,
      Object.entries(places).map(([place, one]) => h("li", null, entry(one, place === current)))
    )
  )

type Entry = readonly [label: string, path: string]

const entry = ([label, path]: Entry, isCurrent: boolean): Element =>
  h("a", { href: path, "aria-current": isCurrent ? "page" : undefined }, label)
