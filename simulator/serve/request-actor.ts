/** The actor of an incoming request: the holder of its secret, else the name in its header. */
import { cookieNames } from "../../src/http/cookies.ts"
import { tokenPrefixes } from "../../src/vocabulary/token.ts"
import { operator, paymentProvider } from "../scenario/format/check-context.ts"
import { isObject, type Json } from "../vocabulary/json.ts"
import { BadStep } from "../scenario/session.ts"
import type { IncomingRequest } from "./incoming-request.ts"
import type { ServedWorld } from "./served-world.ts"

/** The default name of an unidentified client. */
export const unidentifiedClient = "stranger"

/** The actor of a request; an unknown name becomes a visitor. Throws `BadStep` for a name that sends no requests. */
export const actorOf = (incoming: IncomingRequest, named: string | undefined, world: ServedWorld): string => {
  const { session } = world.live
  const name = knownActorOf(incoming, named, world) ?? unidentifiedClient
  const { receivers = {}, payments } = session.opening.given
  const isProvider = name === paymentProvider && payments !== undefined
  if (name === operator || isProvider || Object.hasOwn(receivers, name)) {
    throw new BadStep([{ path: "simulator-actor", message: `${name} sends no requests to the service` }])
  }
  if (!session.knowsActor(name)) session.introduceVisitor(name, "A client over HTTP")
  return name
}

/** The same, without introducing a visitor. */
export const knownActorOf = (
  incoming: IncomingRequest,
  named: string | undefined,
  world: ServedWorld
): string | undefined => holder(incoming, world) ?? named ?? collector(incoming, world)

const holder = ({ headers }: IncomingRequest, world: ServedWorld): string | undefined => {
  const token = bearerIn(headers["authorization"])
  const session = cookieIn(headers["cookie"], cookieNames.session)
  return (token && world.holderOf(token)) ?? (session && world.holderOf(session)) ?? undefined
}

/** The actor to whom the device code of a poll was issued. */
const collector = ({ text }: IncomingRequest, world: ServedWorld): string | undefined => {
  if (text === undefined || !text.includes(tokenPrefixes.device)) return undefined
  const code = deviceCodeIn(text)
  return code === undefined ? undefined : world.holderOf(code)
}

const deviceCodeIn = (text: string): string | undefined => {
  try {
    const body = JSON.parse(text) as Json
    const code = isObject(body) ? body["deviceCode"] : undefined
    return typeof code === "string" ? code : undefined
  } catch {
    return undefined
  }
}

export const bearerIn = (header: string | undefined): string | undefined => /^Bearer (\S+)$/.exec(header ?? "")?.[1]

const cookieIn = (header: string | undefined, name: string): string | undefined =>
  (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
