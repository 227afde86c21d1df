/** The limits of the database: connections, migrations, partitions and what is read of it for metrics; a part of `limits`. */
import { hour, minute, second } from "./durations.ts"

export const databaseLimits = {
  /** The database: timeout of opening a connection, and of a statement. */
  databaseConnect: 5 * second,
  databaseStatement: 5 * second,
  /** The part of the connections that one requester has at most, while another has asked within this time. */
  connectionShare: 0.25,
  connectionsShared: second,
  /** The maximum silence while a result is awaited: after it the connection is dropped. */
  databaseAnswer: 7 * second,
  /** The idle time before TCP keep-alive probes a connection. */
  databaseKeepAlive: 30 * second,
  /** How long a read waits for the replica to reach the primary, how often it looks, and the pause before another try. */
  replicaWait: 20,
  replicaPoll: 2,
  replicaPause: second,
  /** How long a start waits for a writable database, and for another process that migrates it. */
  databaseStart: 30 * second,
  migrationLock: 2 * minute,
  /** How long a migration waits for a lock, less than a statement of the service does, since the service waits behind it. */
  migrationLockWait: second,
  /** How often a step that did not get its locks is tried again, and the pause before that. */
  migrationRetries: 30,
  migrationRetryPause: second,
  /** Batches of a migration between two lines of progress. */
  migrationProgressBatches: 100,
  /** Partitions of coming months that are made in advance, and how often they are looked at. */
  partitionMonthsAhead: 3,
  partitionInterval: hour,
  /** Rows without a partition of their month that a worker moves at most; more are left to `admin create-partitions`. */
  partitionRowsMoved: 10_000,
  /** How long a contract waits for the sessions of processes that have just ended. */
  contractWait: 2 * second,
  databasePoll: 200,
  /** How often a process reads the metrics of the database; due entries counted of each queue, and standbys shown. */
  monitorInterval: 15 * second,
  queueCounted: 1_000,
  standbysShown: 20
} as const
