/** The version of the agent API, sent with every response (9). */
export const apiVersion = "1.8.0"
