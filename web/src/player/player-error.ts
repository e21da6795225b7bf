import { ERRORS, type ErrorName, errorByCode } from '@ondine/contract/errors'
import { bundledLanguage, type Language } from '@ondine/contract/languages'
import type { ErrorDetails } from '@ondine/contract/operation'
import { ApiError } from '../api/api-error.ts'

/** What can stop the player. The list is closed: everything that is thrown becomes one of these. */
export type PlayerErrorKind =
  /** The service refused; its code says why. */
  | 'refused'
  /** No answer, or media that could not be fetched. */
  | 'network'
  /** The keys were refused, or could not be used. */
  | 'licence'
  /** The picture or the sound cannot be decoded. */
  | 'media'
  /** The browser cannot play protected media, or none at all. */
  | 'browser'
  /** The stream asks for a provider of keys that is not one of those known (V4-26). */
  | 'unsupported-provider'
  /** The player's own scripts did not arrive. */
  | 'scripts'
  | 'unknown'

/** What a viewer can do next. */
export type NextStep = 'retry' | 'back' | 'signIn' | 'offers'

/** Why the player stopped. */
export interface PlayerError {
  kind: PlayerErrorKind
  /** What a viewer can tell the people who help: the wire's code, or the engine's. */
  code: string
  next: NextStep
  /** The refusal's own name, for its text. */
  refusal: ErrorName | null
  /** What plays already, and on which device, where there is no room for one more. */
  playing?: NonNullable<ErrorDetails['sessions']> | undefined
}

/** Raised by the engine, which knows its own kinds. */
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

/** The next step of each kind of error that is no refusal. */
const NEXT: Record<Exclude<PlayerErrorKind, 'refused'>, NextStep> = {
  network: 'retry',
  licence: 'retry',
  media: 'back',
  browser: 'back',
  'unsupported-provider': 'back',
  scripts: 'retry',
  unknown: 'retry',
}

/** The next step of refusals that are not mended by leaving. */
const REFUSAL_NEXT: Partial<Record<ErrorName, NextStep>> = {
  tokenInvalid: 'signIn',
  noViewingRights: 'offers',
  channelNotAllowed: 'offers',
  tooManySessions: 'retry',
  temporarilyUnavailable: 'retry',
  channelSilent: 'retry',
  licenceRefused: 'retry',
  slowDown: 'retry',
  internal: 'retry',
}

/** What the viewer is told of anything that was thrown. */
export function playerError(thrown: unknown): PlayerError {
  if (thrown instanceof EngineError) {
    return { kind: thrown.kind, code: thrown.code, next: NEXT[thrown.kind], refusal: null }
  }
  if (thrown instanceof ApiError) {
    const known = errorByCode(thrown.code)
    const code = String(Math.abs(thrown.code))
    if (known === undefined) return { kind: 'network', code, next: 'retry', refusal: null }
    return {
      kind: 'refused',
      code,
      next: REFUSAL_NEXT[known.name] ?? 'back',
      refusal: known.name,
      playing: thrown.details?.sessions,
    }
  }
  return {
    kind: 'unknown',
    code: thrown instanceof Error ? thrown.name : 'unknown',
    next: 'retry',
    refusal: null,
  }
}

/** The contract's own words for a refusal. */
export function refusalText(refusal: ErrorName, language: Language): string {
  return ERRORS[refusal].text[bundledLanguage(language)]
}
