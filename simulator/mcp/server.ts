/** The server of the Model Context Protocol over standard input and output. It alone imports the SDK. */
import { once } from "node:events"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ListedTool
} from "@modelcontextprotocol/sdk/types.js"
import { apiVersion } from "../../src/vocabulary/version.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { Tool } from "./tool.ts"

/** Serves the tools until standard input ends. */
export const serveTools = async (tools: ReadonlyArray<Tool>, instructions: string): Promise<void> => {
  const server = new Server({ name: "countersign", version: apiVersion }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown tool ${params.name}`)
    // The SDK has parsed the input from JSON.
    const { text, isError } = await tool.call((params.arguments ?? {}) as JsonObject)
    return { content: [{ type: "text", text }], isError }
  })
  const ended = once(process.stdin, "end")
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
}

const listed = ({ name, description, inputSchema }: Tool): ListedTool => ({
  name,
  description,
  inputSchema: { ...inputSchema, type: "object" }
})
