/** What an examination offers an agent beside the service, as tools: its person, and the clock of the world. */
import { Schema } from "effect"
import { TellForm, WaitForm } from "../serve/control-forms.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { objectSchema, type Tool, type ToolResult, unknownOutcome } from "./tool.ts"

/** The agent's person. */
export class Person {
  readonly #address: string
  readonly tools: ReadonlyArray<Tool>

  constructor(address: string) {
    this.#address = address
    this.tools = [
      {
        name: "tell",
        description: "Tell the person you work for something, with the link at which the person can act",
        inputSchema: schemaOf(TellForm),
        call: (input) => post(`${address}/tell`, input)
      }
    ]
  }

  /** The bearer token that the agent was given last, also by a person who renewed its grant. */
  async credential(): Promise<string | undefined> {
    const answered = await fetch(`${this.#address}/credential`)
    const answer = (await answered.json()) as Json
    const token = isObject(answer) ? answer["token"] : undefined
    return typeof token === "string" ? token : undefined
  }
}

/** The tools of the clock at this address. */
export const clockTools = (address: string): ReadonlyArray<Tool> => [
  {
    name: "wait",
    description:
      "Wait in virtual time: for a duration such as 15m, until an instant, or until an event occurs; answered when the wait is over",
    inputSchema: schemaOf(WaitForm),
    call: (input) => post(`${address}/wait`, input)
  }
]

const post = async (url: string, input: JsonObject): Promise<ToolResult> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input)
    })
    const body = (await answer.json()) as Json
    return { text: JSON.stringify({ status: answer.status, body }), isError: !answer.ok }
  } catch {
    return unknownOutcome("The examination did not answer.")
  }
}

const schemaOf = (form: Schema.Top): JsonObject => {
  const { schema } = Schema.toJsonSchemaDocument(form, { onExcessProperty: "error" })
  return objectSchema(schema as JsonObject)
}
