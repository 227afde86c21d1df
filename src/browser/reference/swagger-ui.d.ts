/** The parts of Swagger UI that the reference uses; the package has no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export type Component = (props: any) => unknown

  export type Plugin = (system: {
    readonly React: {
      readonly createElement: (
        component: Component | string,
        props?: object | null,
        ...children: ReadonlyArray<unknown>
      ) => unknown
    }
  }) => {
    readonly components: {
      readonly [name: string]: (system: {
        readonly getComponent: (name: string, isContainer: boolean) => Component
      }) => unknown
    }
    readonly wrapComponents: { readonly [name: string]: (original: Component) => Component }
  }

  const SwaggerUI: (options: {
    readonly url: string
    readonly domNode: HTMLElement
    readonly layout: string
    readonly plugins: ReadonlyArray<Plugin>
    readonly deepLinking: boolean
    readonly docExpansion: "list"
    readonly defaultModelsExpandDepth: number
    readonly supportedSubmitMethods: ReadonlyArray<string>
    readonly syntaxHighlight: false
    readonly validatorUrl: null
  }) => void
  export default SwaggerUI
}

declare module "swagger-ui-dist/swagger-ui.css" {
  const text: string
  export default text
}
