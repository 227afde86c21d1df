/** The actor of an incoming request: the holder of its secret, else the name in its header. */
import { cookieNames } from "../../src/http/cookies.ts"
import { tokenPrefixes } from "../../src/vocabulary/token.ts"
import { operator } from "../script/known.ts"
import { isObject, type Json } from "../script/json.ts"
import { BadStep } from "../session.ts"
import type { Incoming } from "./incoming.ts"
import type { ServedWorld } from "./served-world.ts"

/** The default name of an unidentified client. */
export const stranger = "stranger"

/** The actor of a request; an unknown name becomes a visitor. Throws `BadStep` for a name that sends no requests. */
export const actorOf = (incoming: Incoming, named: string | undefined, world: ServedWorld): string => {
  const { session } = world.live
  const name = holder(incoming, world) ?? named ?? collector(incoming, world) ?? stranger
  const { receivers = {} } = session.opening.given
  if (name === operator || Object.hasOwn(receivers, name)) {
    throw new BadStep([{ path: "simulator-actor", message: `${name} sends no requests to the service` }])
  }
  if (!session.knowsActor(name)) session.introduceVisitor(name, "A client over HTTP")
  return name
}

const holder = ({ headers }: Incoming, world: ServedWorld): string | undefined => {
  const token = bearerIn(headers["authorization"])
  const session = cookieIn(headers["cookie"], cookieNames.session)
  return (token && world.holderOf(token)) ?? (session && world.holderOf(session)) ?? undefined
}

/** The actor to whom the device code of a poll was issued. */
const collector = ({ text }: Incoming, world: ServedWorld): string | undefined => {
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
