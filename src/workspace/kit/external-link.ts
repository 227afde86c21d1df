/** Links to other sites. No form leaves this site: a person follows a link, and sees first where it leads. */
import { h } from "preact"
import type { Element } from "./html.ts"

/** Shows the host; only an address over HTTPS is a link. The other site is not told which page the person came from, and gets no access to its window. */
export const externalLink = (address: string, label: string): Element => {
  const target = URL.parse(address)
  return target?.protocol !== "https:"
    ? h("p", null, label, ": the address is not one over HTTPS. Ask the operator of this site.")
    : h(
        "p",
        null,
        h("a", { href: target.href, rel: "noreferrer noopener", class: "button" }, label),
        " This leads to another site: ",
        h("code", null, target.host)
      )
}
