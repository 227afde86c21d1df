/** Faults of the environment: e-mail, sign-in, keys, clocks and the installation's legal documents. */
import { keyPurposes } from "../../../src/ports/signer.ts"
import type { JsonObject } from "../../vocabulary/json.ts"
import type { Fault } from "./catalogue.ts"

type Lines = ReadonlyArray<JsonObject>

const emailTo =
  (server: string): Fault["occursAt"] =>
  (line) =>
    line["kind"] === "letter" && line["server"] === server

/** A sign-in that was refused with this code. */
const signInRefused =
  (code: string): Fault["occursAt"] =>
  (line, earlier) =>
    line["kind"] === "answer" &&
    line["refused"] === code &&
    lastActOf(earlier, line["actor"])?.["operation"] === "signIn"

const lastActOf = (earlier: Lines, actor: unknown): JsonObject | undefined =>
  earlier.findLast((line) => line["kind"] === "act" && line["actor"] === actor)

const isAct =
  (operation: string): Fault["occursAt"] =>
  (line) =>
    line["kind"] === "act" && line["operation"] === operation

const isRefusedForAKey = ({ kind, body, refused }: JsonObject): boolean =>
  (kind === "response" && typeof body === "object" && body !== null
    ? Reflect.get(body, "error")
    : kind === "answer" && refused) === "ISSUER_NOT_CONFIGURED"

/** A worker without a key has no response, so the act itself counts. */
const isKeyRemoved = ({ kind, operation, input }: JsonObject): boolean => {
  const purposes = typeof input === "object" && input !== null ? Reflect.get(input, "purposes") : undefined
  return kind === "act" && operation === "setKeys" && Array.isArray(purposes) && purposes.length < keyPurposes.length
}

const offsetOf =
  (process: string): Fault["occursAt"] =>
  (line) => {
    const { kind, operation, input } = line
    return (
      kind === "act" &&
      operation === "setClock" &&
      typeof input === "object" &&
      input !== null &&
      Reflect.get(input, "process") === process
    )
  }

export const environmentFaults: ReadonlyArray<Fault> = [
  {
    name: "mail refusing",
    what: "The mail server rejects every e-mail.",
    written: "{ as: operator, do: setMailServer, input: { state: REFUSING } }",
    occursAt: emailTo("REFUSING"),
    scenario: "agreements/email-notices"
  },
  {
    name: "mail silent",
    what: "The mail server never responds.",
    written: "{ as: operator, do: setMailServer, input: { state: SILENT } }",
    occursAt: emailTo("SILENT"),
    scenario: "agreements/email-notices"
  },
  {
    name: "provider down",
    what: "The identity provider is unreachable.",
    written: "{ as: operator, do: setProvider, input: { provider: login, state: DOWN } }",
    occursAt: signInRefused("TEMPORARILY_UNAVAILABLE"),
    scenario: "faults/sign-in-provider-fails"
  },
  {
    name: "provider denying",
    what: "The identity provider denies every sign-in.",
    written: "{ as: operator, do: setProvider, input: { provider: login, state: DENYING } }",
    occursAt: signInRefused("SIGN_IN_FAILED"),
    scenario: "faults/sign-in-provider-fails"
  },
  {
    name: "issuer keys missing",
    what: "The issuer has no key for a purpose, and operations that need it are refused.",
    written: "{ as: operator, do: setKeys, input: { purposes: [] } }",
    occursAt: (line) => isRefusedForAKey(line) || isKeyRemoved(line),
    scenario: "faults/missing-issuer-key"
  },
  {
    name: "clock of the service",
    what: "The clock of the service processes has an offset.",
    written: "{ as: operator, do: setClock, input: { process: service, offset: -2s } }",
    occursAt: offsetOf("service"),
    scenario: "faults/clock-skew"
  },
  {
    name: "clock of the worker",
    what: "The clock of the worker has an offset.",
    written: "{ as: operator, do: setClock, input: { process: worker, offset: +400ms } }",
    occursAt: offsetOf("worker"),
    scenario: "faults/clock-skew"
  },
  {
    name: "legal documents changed",
    what: "The operator changes the legal documents during other operations.",
    written:
      '{ as: operator, do: changeLegalDocuments, input: { documents: [{ kind: TERMS, version: "2", text: … }] } }',
    occursAt: isAct("changeLegalDocuments"),
    scenario: "agreements/legal-documents-change"
  }
]
