/** A browser window of a signed-in person. */
import { Effect } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { visit, type VisitOptions } from "./browser.ts"

/** Sets the session's cookie as the sign-in page does. Scripts are off unless the test turns them on. */
export const visitAs = (url: string, { token }: { readonly token: string }, options: VisitOptions = {}) =>
  Effect.tap(visit({ runsScript: false, ...options }), ({ context }) =>
    Effect.promise(() =>
      context.addCookies([
        {
          name: cookieNames.session,
          value: token,
          domain: new URL(url).hostname,
          path: "/",
          secure: true,
          httpOnly: true,
          sameSite: "Lax"
        }
      ])
    )
  )
