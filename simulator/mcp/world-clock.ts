/** The clock of an examination, as two tools of an agent: it waits in virtual time, and tells its person something. */
import { Schema } from "effect"
import { TellForm, WaitForm } from "../serve/control-forms.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { objectSchema, type Tool, type ToolResult, unknownOutcome } from "./tool.ts"

export class WorldClock {
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  get tools(): ReadonlyArray<Tool> {
    return [
      {
        name: "wait",
        description:
          "Wait in virtual time: for a duration such as 15m, until an instant, or until an event occurs; answered when the wait is over",
        inputSchema: schemaOf(WaitForm),
        call: (input) => this.#post("wait", input)
      },
      {
        name: "tell",
        description: "Tell the person you work for something, with the link at which the person can act",
        inputSchema: schemaOf(TellForm),
        call: (input) => this.#post("tell", input)
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

  async #post(path: string, input: JsonObject): Promise<ToolResult> {
    try {
      const answer = await fetch(`${this.#address}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input)
      })
      const body = (await answer.json()) as Json
      return { text: JSON.stringify({ status: answer.status, body }), isError: !answer.ok }
    } catch {
      return unknownOutcome("The clock of the world did not answer.")
    }
  }
}

const schemaOf = (form: Schema.Top): JsonObject => {
  const { schema } = Schema.toJsonSchemaDocument(form, { onExcessProperty: "error" })
  return objectSchema(schema as JsonObject)
}
