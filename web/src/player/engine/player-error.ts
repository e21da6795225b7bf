import { type ErrorName, errorByCode } from '@ondine/contract/errors'
import type { ErrorDetails } from '@ondine/contract/operation'
import { ApiError } from '../../api/api-error.ts'

/**
 * The kinds of errors that stop the player. The list is closed: every thrown error is converted to one of these kinds.
 */
export type PlayerErrorKind =
  /** The service refused the call. Its error code gives the reason. */
  | 'refused'
  /** The service did not answer, or a media request failed. */
  | 'network'
  /** The licence was refused, or its keys are unusable. */
  | 'licence'
  /** The video or the audio cannot be decoded. */
  | 'media'
  /** The browser cannot play protected media, or any media. */
  | 'browser'
  /** The stream requires an unknown provider of keys (V4-26). */
  | 'unsupported-provider'
  /** Playback needs the parental code, and the viewer did not enter it. */
  | 'code'
  /** The download is not on this device, or has expired. */
  | 'download'
  /**
   * The download needs the parental code. The viewer did not enter it, or the service could not check it without a
   * connection.
   */
  | 'download-code'
  /** The player's scripts could not be loaded. */
  | 'scripts'
  | 'unknown'

/** The next step that the player offers after an error. */
type NextStep = 'retry' | 'code' | 'back' | 'signIn' | 'offers'

/** The error that stopped the player. */
export interface PlayerError {
  kind: PlayerErrorKind
  /** The error code of the service or of the engine, which a viewer can report to the support staff. */
  code: string
  next: NextStep
  /** Name of the refusal; null for other errors. */
  refusal: ErrorName | null
  /** The refusal itself, of which the viewer reads the text; undefined for other errors. */
  refused?: ApiError
  /**
   * The playback sessions in progress, with their titles and devices, if the limit of simultaneous streams is
   * reached.
   */
  playing?: NonNullable<ErrorDetails['sessions']> | undefined
  /**
   * When the content becomes available, in seconds since the Unix epoch; undefined if the service has not given a
   * time.
   */
  availableFrom?: number | undefined
}

/** An error of the engine, with its kind. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly kind: Exclude<PlayerErrorKind, 'refused'>
  readonly code: string

  constructor(kind: Exclude<PlayerErrorKind, 'refused'>, code: string, cause?: unknown) {
    super(`The player stopped: ${kind} ${code}`, { cause })
    this.kind = kind
    this.code = code
  }
}

/** A refusal for want of the parental code, after the viewer has left the popup without entering the code. */
export class CodeNotEntered extends ApiError {}

/** The next step for each kind of error. For refusals, see `REFUSAL_NEXT`. */
const NEXT: Record<Exclude<PlayerErrorKind, 'refused'>, NextStep> = {
  network: 'retry',
  licence: 'retry',
  media: 'back',
  browser: 'back',
  'unsupported-provider': 'back',
  code: 'code',
  download: 'back',
  'download-code': 'retry',
  scripts: 'retry',
  unknown: 'retry',
}

/**
 * The next step after a refusal, by the refusal's name. After any other refusal, the viewer can only leave the
 * player.
 */
const REFUSAL_NEXT: Partial<Record<ErrorName, NextStep>> = {
  tokenInvalid: 'signIn',
  noViewingRights: 'offers',
  channelNotAllowed: 'offers',
  invalidAccessCode: 'retry',
  tooManySessions: 'retry',
  temporarilyUnavailable: 'retry',
  channelSilent: 'retry',
  licenceRefused: 'retry',
  slowDown: 'retry',
  internal: 'retry',
}

/** Converts any thrown error to an error that the player shows. */
export function playerError(thrown: unknown): PlayerError {
  if (thrown instanceof EngineError) {
    return { kind: thrown.kind, code: thrown.code, next: NEXT[thrown.kind], refusal: null }
  }
  if (thrown instanceof ApiError) {
    const known = errorByCode(thrown.code)
    const code = String(Math.abs(thrown.code))
    if (thrown instanceof CodeNotEntered) return { kind: 'code', code, next: NEXT.code, refusal: null }
    if (known === undefined) return { kind: 'network', code, next: 'retry', refusal: null }
    return {
      kind: 'refused',
      code,
      next: REFUSAL_NEXT[known.name] ?? 'back',
      refusal: known.name,
      refused: thrown,
      playing: thrown.details?.sessions,
      availableFrom: thrown.details?.availableFrom,
    }
  }
  return {
    kind: 'unknown',
    code: thrown instanceof Error ? thrown.name : 'unknown',
    next: 'retry',
    refusal: null,
  }
}
