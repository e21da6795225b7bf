import { EngineError } from './player-error.ts'

/** The fields of Shaka's error that the engine uses. Shaka never reuses numbers of categories and codes. */
export interface ShakaError {
  severity: number
  category: number
  code: number
  /** Further facts. For `BAD_HTTP_STATUS`: the address, and the status. */
  data?: readonly unknown[]
}

/** Returns whether a thrown value is an error of Shaka. */
export function isShakaError(thrown: unknown): thrown is ShakaError {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'category' in thrown &&
    'code' in thrown &&
    'severity' in thrown
  )
}

/** `shaka.util.Error.Severity.CRITICAL`: playback cannot continue. */
const CRITICAL = 2

/** Returns whether playback cannot continue. */
export function isCritical(error: ShakaError): boolean {
  return error.severity === CRITICAL
}

/** `BAD_HTTP_STATUS`, `HTTP_ERROR`, `TIMEOUT` */
const BAD_HTTP_STATUS = 1001
const NETWORK_CODES: ReadonlySet<number> = new Set([BAD_HTTP_STATUS, 1002, 1003])
const REFUSALS: ReadonlySet<unknown> = new Set([401, 403])

/**
 * Returns whether Shaka requests the failed segment of a live stream again by itself. It reports the failure as critical
 * before it does so. A refusal is no fault of the network, so it ends playback.
 */
export function isTriedAgain({ code, data }: ShakaError): boolean {
  return NETWORK_CODES.has(code) && !(code === BAD_HTTP_STATUS && REFUSALS.has(data?.[1]))
}

/** `LOAD_INTERRUPTED`: a newer load replaced this load, or the player was destroyed. The viewer sees no error. */
const LOAD_INTERRUPTED = 7000

export function isInterruption(thrown: unknown): boolean {
  return isShakaError(thrown) && thrown.code === LOAD_INTERRUPTED
}

/** DRM codes for an incapable browser. Any other DRM code means that the licence failed. */
const BROWSER_CODES: ReadonlySet<number> = new Set([
  // REQUESTED_KEY_SYSTEM_CONFIG_UNAVAILABLE, FAILED_TO_CREATE_CDM, FAILED_TO_ATTACH_TO_VIDEO
  6001, 6002, 6003,
])

/**
 * `RESTRICTIONS_CANNOT_BE_MET`: all renditions lack a key. With several keys, Shaka reports a refused or failed licence in
 * this way.
 */
const NO_USABLE_KEY = 4012

/** Kinds of errors, by number in `shaka.util.Error.Category`. */
const KINDS: Record<number, EngineError['kind']> = {
  1: 'network',
  2: 'media',
  3: 'media',
  4: 'media',
  5: 'network',
  6: 'licence',
}

/** Converts Shaka's error to an {@link EngineError} with one of its kinds. */
export function engineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (!isShakaError(thrown))
    return new EngineError('unknown', thrown instanceof Error ? thrown.name : 'unknown', thrown)
  return new EngineError(kindOf(thrown), `S${thrown.code}`, thrown)
}

function kindOf({ category, code }: ShakaError): EngineError['kind'] {
  if (BROWSER_CODES.has(code)) return 'browser'
  return code === NO_USABLE_KEY ? 'licence' : (KINDS[category] ?? 'unknown')
}
