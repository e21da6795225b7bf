import { fstatSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Maximum size of the log, in bytes. A larger log is emptied before its next line. */
const MOST_LOG_BYTES = 256 * 1024

/** Opens the keepers' log for appending. @returns its file descriptor */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const log = openSync(path, 'a', 0o600)
  boundLog(log)
  return log
}

/**
 * Empties the log if it is too large. A keeper runs for months and logs each refused RTMP sender, so anybody could make
 * its log grow.
 *
 * @param log file descriptor. A descriptor that is not a file, such as a terminal, is left alone.
 */
export function boundLog(log: number): void {
  const found = fstatSync(log)
  if (found.isFile() && found.size > MOST_LOG_BYTES) ftruncateSync(log)
}
