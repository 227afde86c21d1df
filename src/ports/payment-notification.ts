/** The rule of every provider's notifications on their timestamps. Pure. */
import { limits } from "../vocabulary/limits.ts"

/** True if a notification was sent shortly before its receipt, or shortly after it by a clock that is ahead; in milliseconds. */
export const isTimely = (sentAt: number, receivedAt: number): boolean =>
  Math.abs(receivedAt - sentAt) <= limits.paymentNotificationTolerance
