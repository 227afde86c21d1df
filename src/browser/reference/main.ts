/** The script of a reference page: Swagger UI over the OpenAPI document that the page names, to read and to link to. */
import SwaggerUI, { type Component, type Plugin } from "swagger-ui-dist/swagger-ui-es-bundle.js"
import style from "swagger-ui-dist/swagger-ui.css"

/** What keeps the page readable: contrast of at least 4.5, and no region that only a pointer can scroll. */
const ownStyle = `
.swagger-ui .opblock .opblock-summary-method { color: #1b1f24; border: 1px solid currentColor; text-shadow: none; }
.swagger-ui .parameter__in, .swagger-ui .parameter__type, .swagger-ui .prop-format { color: #57606a; }
.swagger-ui pre.microlight { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .opblock-summary-path, .swagger-ui td, .swagger-ui th { overflow-wrap: anywhere; }
.swagger-ui .response-col_links, .swagger-ui .responses-table .col_header:nth-child(3) { display: none; }
[data-document] { overflow-x: auto; }
@media (prefers-color-scheme: dark) { [data-document] { background: #ffffff; color: #1b1f24; border-radius: 6px; } }
`

/** Operations alone, without the library's page around them; a tag without a link inside its button; examples with a label. */
const plugin: Plugin = ({ React: { createElement } }) => ({
  components: {
    Operations: ({ getComponent }) =>
      createElement("div", { className: "swagger-ui" }, createElement(getComponent("operations", true)))
  },
  wrapComponents: {
    DeepLink:
      () =>
      ({ text }) =>
        createElement("span", null, text),
    ExamplesSelect: (original: Component) => (props) =>
      createElement("label", null, "Example ", createElement(original, props))
  }
})

const place = document.querySelector<HTMLElement>("[data-document]")
if (place !== null) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style + ownStyle)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  SwaggerUI({
    url: place.dataset["document"] ?? "",
    domNode: place,
    layout: "Operations",
    plugins: [plugin],
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    // To read only: a request from here would need a token in a page.
    supportedSubmitMethods: [],
    syntaxHighlight: false,
    validatorUrl: null
  })
}
