import type { Channel, Item } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { Drm } from '@ondine/contract/playback'
import { ApiError } from '../../api/api-error.ts'
import type { Content, Languages, Opened } from '../content/playable.ts'
import type { Stream } from '../engine/engine.ts'

/** The functions that open content, as the player needs them. */
export interface OpeningService {
  /** Loads the player's scripts. Later calls return the same promise. */
  loadScripts(): Promise<unknown>
  signedIn(): Promise<boolean>
  /** Sends a call. If the service requires the parental code, asks the viewer for it, and sends the call again. */
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>
  /** Sends a call without asking for the parental code. The call counts as proven if the viewer has entered the code. */
  callQuietly<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>
  /** Called with each playback session as soon as the service has begun it. The rest of the opening may still fail. */
  begun(session: string): void
  /** Returns an asset with its series and its next episode, possibly from the cache of the previous page. */
  content(idAsset: number): Promise<Content>
  /** Returns related titles; empty if they are unavailable (A8.3-04). */
  related(idAsset: number): Promise<Item[]>
  /** Returns all channels, possibly from the cache of the previous page. */
  channels(): Promise<Channel[]>
  /** Requests the manifest ahead of `load`, in parallel with the licence call. */
  prepare(stream: Stream): void
  /**
   * Returns the operator's default languages, for content without a list of languages (V4-19). A stream without
   * these languages plays its main audio.
   */
  defaultLanguages(): Languages
  /** Returns the languages that the profile chose last; empty before the first choice (spec 21). */
  chosenLanguages(): Partial<Languages>
  /** Returns the data for advertising: the page and the browser (V7-20). */
  page(): { page_url: string; device_ua: string }
  /** Returns milliseconds since the Unix epoch, by the service's clock. */
  now(): number
  /** Reports an error that does not stop playback. */
  report(error: unknown): void
}

/** The result of opening content: the content to play, or the request to sign in (V4-17). */
export type Opening = { kind: 'opened'; opened: Opened } | { kind: 'signIn' }

/** Waits for a playback session, and announces it. */
export async function begin<S extends { session: string }>(
  asked: S | Promise<S>,
  { begun }: Pick<OpeningService, 'begun'>,
): Promise<S> {
  const answer = await asked
  begun(answer.session)
  return answer
}

/** Returns whether the service has refused a call because it requires the parental code. */
export function needsCode(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === ERRORS.invalidAccessCode.code
}

/**
 * Returns the keys of the opened playback session (`read`). If the session has no keys, returns the keys from the
 * licence call (`asked`). The licence call is always made, because the service can refuse it. Ignores the error -2370
 * (V8, licence errors).
 */
export async function licenceOf(asked: Promise<Drm | null>, read: Drm | null): Promise<Drm | null> {
  try {
    const licence = await asked
    return read ?? licence
  } catch (error) {
    if (error instanceof ApiError && error.code === ERRORS.licenceRefused.code) return read
    throw error
  }
}
