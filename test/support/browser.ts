/** The whole service on a loopback socket, and a real browser. */
import * as fs from "node:fs"
import * as path from "node:path"
import { ConfigProvider, Context, Effect, Layer, Logger, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core"
import { layer as clientScripts } from "../../src/adapters/client-scripts.ts"
import { instanceCaches } from "../../src/ports/caches.ts"
import { Configuration } from "../../src/adapters/configuration.ts"
import { listen } from "../../src/adapters/http-server.ts"
import type { SignIn } from "../../src/ports/sign-in.ts"
import { Service, CapabilityPorts } from "../../src/service.ts"
import { installationAt, pagesApp, type PageRoutes } from "./pages.ts"
import { freePort } from "./server.ts"
import {
  freshService,
  postgresStorage,
  testMail,
  testPayments,
  testSecrets,
  testSigner,
  testSignIn,
  testWakeup
} from "./service.ts"

/** The address of a served site, which its pages use too. */
export class Site extends Context.Service<Site, { readonly url: string }>()("countersign/test/Site") {}

/** The sign-in configuration of a site at this address. */
type SignInAt = (url: string) => Effect.Effect<SignIn["Service"], never, Scope.Scope>

/** The service on a fresh database, listening, with its ports available to the test. */
export const servedSite = (signInAt: SignInAt = () => Effect.succeed({ kind: "NONE" })) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = `http://127.0.0.1:${yield* freePort}`
      const ports = Layer.mergeAll(
        postgresStorage(yield* freshService),
        testSigner,
        testSecrets,
        testSignIn(yield* signInAt(url)),
        installationAt(url),
        testMail(),
        testPayments(),
        testWakeup,
        instanceCaches,
        clientScripts,
        SecureRandom.layerWebCrypto
      )
      return Layer.effectDiscard(listen).pipe(
        Layer.provideMerge(Layer.merge(Service, CapabilityPorts)),
        Layer.provideMerge(ports),
        Layer.provide([listeningAt(url), HttpServer.layerServices]),
        Layer.merge(Layer.succeed(Site, { url })),
        Layer.provideMerge(Logger.layer([]))
      )
    })
  )

/** Pages of a test behind the service's edge, on a socket of their own. */
export const servePages = (routes: PageRoutes): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const url = `http://127.0.0.1:${yield* freePort}`
    const served = Layer.effectDiscard(listen).pipe(
      Layer.provide([pagesApp(routes, { url }), listeningAt(url), Logger.layer([])])
    )
    yield* Effect.orDie(Layer.build(served))
    return url
  })

const listeningAt = (url: string) =>
  Configuration.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ HOST: "127.0.0.1", PORT: new URL(url).port })))
  )

/** One browser for a test file. */
export class Chromium extends Context.Service<Chromium, Browser>()("countersign/test/Chromium") {
  static readonly layer = Layer.effect(
    Chromium,
    Effect.acquireRelease(
      Effect.promise(() => chromium.launch({ executablePath: "/usr/bin/chromium", args: [...chromiumArguments] })),
      (browser) => Effect.promise(() => browser.close())
    )
  )
}

/** The host name of another site, which the browser resolves to this machine. */
export const foreignHost = "countersign-foreign.test"

const chromiumArguments = [
  `--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

export interface VisitOptions {
  /** `dark` is the person's preference. */
  readonly colorScheme?: "light" | "dark"
  readonly width?: number
  /** Off in tests that pages need no script; a test's foreign page may run some. */
  readonly runsScript?: boolean
}

export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors that the browser reported: refused scripts and styles, missing files. */
  readonly browserErrors: ReadonlyArray<string>
}

/** A browser window with cookies of its own, closed with the scope. */
export const visit = ({ colorScheme = "light", width = 1024, runsScript = true }: VisitOptions = {}) =>
  Effect.gen(function* () {
    const browser = yield* Chromium
    const context = yield* Effect.acquireRelease(
      Effect.promise(() =>
        browser.newContext({ colorScheme, viewport: { width, height: 800 }, javaScriptEnabled: runsScript })
      ),
      (context) => Effect.promise(() => context.close())
    )
    const page = yield* Effect.promise(() => context.newPage())
    const complaints: Array<string> = []
    page.on(
      "console",
      (message) => void (["error", "warning"].includes(message.type()) && complaints.push(message.text()))
    )
    page.on("pageerror", (error) => void complaints.push(error.message))
    return { context, page, complaints }
  })

/** Saves a screenshot as `test-output/screenshots/<name>.png`. */
export const screenshot = (page: Page, name: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    fs.mkdirSync(screenshots, { recursive: true })
    await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage: true })
  })

const screenshots = path.resolve(import.meta.dirname, "../../test-output/screenshots")
