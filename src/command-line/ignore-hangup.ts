/** Loaded before a server or worker: a SIGHUP while its modules are loaded does not end it. */
process.on("SIGHUP", () => {})
