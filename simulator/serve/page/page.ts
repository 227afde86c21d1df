/** The page of the simulator: one document with its own script and style, which calls the control API. */
import { faults } from "../../environment/faults/catalogue.ts"
import { operationForms } from "../../scenario/operations/operation-forms.ts"
import { contentPolicy, embeddedJson } from "../../reports/timeline/embed.ts"
import { frame } from "./frame.ts"
import { pageScript } from "./script.ts"
import { injectionStep } from "./injections.ts"
import { style } from "./style.ts"

export interface Page {
  readonly html: string
  /** The Content-Security-Policy header. */
  readonly contentPolicy: string
}

/** The page is the same for all worlds. */
export const renderPage = (): Page => {
  const script = pageScript()
  const html = [
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n`,
    `<meta name="color-scheme" content="light dark">\n`,
    `<title>Simulator</title>\n<link rel="icon" href="data:,">\n<style>${style}</style>\n</head>\n<body>\n`,
    frame,
    embeddedJson("catalogue", catalogue()),
    `<script>${script}</script>\n</body>\n</html>\n`
  ].join("")
  const policy = `${contentPolicy(script, style)}; connect-src 'self'; img-src data:; frame-ancestors 'none'`
  return { html, contentPolicy: policy }
}

/** The operations and faults, by name. */
const catalogue = () => ({
  operations: [...operationForms].map(([name, { by, actsOn }]) => ({ name, by, actsOn })),
  faults: faults.map(({ name, what, written }) => ({ name, what, step: injectionStep(written) }))
})
