/** Everything a world supplies to the service, beside what Effect names itself. */
import { Layer } from "effect"
import { hash } from "node:crypto"
import { secretsFrom } from "../src/adapters/secrets.ts"
import { Installation } from "../src/ports/installation.ts"
import { Secrets } from "../src/ports/secrets.ts"
import { SignIn } from "../src/ports/sign-in.ts"
import { Signer } from "../src/ports/signer.ts"
import type { Storage } from "../src/ports/storage.ts"
import type { Kernel } from "./kernel/kernel.ts"
import { seededSigner } from "./signer.ts"

export type Ports = Storage | SeededPorts

type SeededPorts = Signer | Secrets | SignIn | Installation

export const siteUrl = "https://countersign.test"

/** The ports that need nothing but a seed. */
export const seededPorts = (kernel: Kernel): Layer.Layer<SeededPorts> =>
  Layer.mergeAll(
    Layer.sync(Signer, () => seededSigner(kernel.streams)),
    Layer.sync(Secrets, () => secretsFrom([kernel.streams.bytes("secret key", 32)])),
    // The people of a scenario are signed in by an operation: there is no provider to go to.
    Layer.succeed(SignIn, { kind: "NONE" }),
    Layer.succeed(Installation, { siteUrl, legalTexts: [terms] })
  )

const text = "Terms of the simulator. Nothing agreed here binds anybody."

const terms = {
  kind: "TERMS",
  version: "1",
  digest: hash("sha256", text, "hex"),
  url: `${siteUrl}/legal/terms/1`,
  text
}
