/** The version of the agent API, sent with every answer (9). */
export const apiVersion = "1.8.0"
