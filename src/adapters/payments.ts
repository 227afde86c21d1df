/** Payments without a provider: no Result Order can be offered or paid. */
import { Layer } from "effect"
import { Payments } from "../ports/payments.ts"

export const layer = Layer.succeed(Payments, { kind: "NONE" })
