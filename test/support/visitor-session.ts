/** A browser window of somebody who is signed in already. */
import { Effect } from "effect"
import { cookieNames } from "../../src/http/cookies.ts"
import { visit, type VisitOptions } from "./browser.ts"

/** The session's cookie is put where the sign-in page would have put it; the pages run no script. */
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
