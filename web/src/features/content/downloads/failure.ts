import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { DOWNLOAD_CODES } from './codes.ts'
import type { DownloadFailure } from './download.ts'
import { DownloadSetupError } from './prepare.ts'

/** Thrown when the service does not return a file. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly status: number

  constructor(status: number) {
    super(`A file of a download was answered with status ${status}`)
    this.status = status
  }
}

/** Thrown when a title is requested whose removal the service has not confirmed yet. */
export class UnfinishedRemovalError extends Error {
  override readonly name = 'UnfinishedRemovalError'
}

/** Thrown when the device has less space than a download needs. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

const LIMITS: ReadonlyMap<number, DownloadFailure> = new Map([
  [DOWNLOAD_CODES.tooManyDownloads, 'titles'],
  [DOWNLOAD_CODES.tooManyDownloadDevices, 'devices'],
])

/** Name of the error of a transfer that stalls. */
const STALL = 'TimeoutError'

/**
 * Names of errors of a lost or stalled transfer. `AbortError` is none of them, because reads of the browser's database
 * also fail with it if their transaction is aborted.
 */
const LOSSES: ReadonlySet<string> = new Set(['NetworkError', STALL])

/** HTTP statuses from this one on are faults of the service, so a later request may succeed. */
const FAULT_OF_SERVICE = 500
const SLOW_DOWN = 429

function isTemporary(status: number): boolean {
  return status >= FAULT_OF_SERVICE || status === SLOW_DOWN
}

/** Returns whether a fault may concern one file only: the service refuses the file, or its transfer stalls. */
export function isFaultOfFile(error: unknown): boolean {
  return error instanceof FileError || (error instanceof DOMException && error.name === STALL)
}

/** Returns why a download failed; `later` if the download can continue as soon as the service answers again. */
export function failureOf(error: unknown): DownloadFailure | 'later' {
  if (error instanceof DownloadSetupError)
    return error.fault === 'unsupported DRM type' ? 'unsupported' : 'setup'
  if (error instanceof NoRoomError) return 'full'
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full'
  if (error instanceof TypeError || (error instanceof DOMException && LOSSES.has(error.name))) return 'later'
  if (error instanceof UnfinishedRemovalError) return 'later'
  if (error instanceof FileError) return isTemporary(error.status) ? 'later' : 'refused'
  if (error instanceof ApiError)
    return error.code === NO_ANSWER || isTemporary(error.status)
      ? 'later'
      : (LIMITS.get(error.code) ?? 'refused')
  return 'unknown'
}
