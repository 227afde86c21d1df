/** The process of the plain peer. */
import { startPeer, type PeerEnvironment } from "./server.ts"

await startPeer(process.env as unknown as PeerEnvironment, Number(process.env["PORT"]), console.log)
console.log("ready")
