import type { Channel, Item } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import type { Drm } from '@ondine/contract/playback'
import { ApiError } from '../api/api-error.ts'
import type { Stream } from './engine.ts'
import type { Content, Languages, Opened } from './playable.ts'

/** What the opening of the player stands on. */
export interface OpeningService {
  /** Loads the player's scripts; later calls share the first. */
  loadScripts(): Promise<unknown>
  signedIn(): Promise<boolean>
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>>
  /** An asset with its series and its next episode; may come from what the page before has loaded. */
  content(idAsset: number): Promise<Content>
  /** What is like an asset; nothing where that cannot be found out (A8.3-04). */
  related(idAsset: number): Promise<Item[]>
  /** All channels; may come from what the page before has loaded. */
  channels(): Promise<Channel[]>
  /** Asks for the manifest ahead of `load`, while the licence is still being asked for. */
  prepare(stream: Stream): void
  /** Languages of what has no list of its own, as the operator configures them (V4-19); a stream without them has its main sound. */
  defaultLanguages(): Languages
  /** Languages that the profile chose last; empty before the first choice (decision 21). */
  chosenLanguages(): Partial<Languages>
  /** What advertising may know: the page and the browser (V7-20). */
  page(): { page_url: string; device_ua: string }
  /** Takes note of something that went wrong without stopping anything. */
  report(error: unknown): void
}

/** How an opening ends: with something to play, or at the sign-in (V4-17). */
export type Opening = { kind: 'opened'; opened: Opened } | { kind: 'signIn' }

/**
 * The keys of what was read: the answer to the call for the licence, unless the reading itself has brought them for its
 * own session. The call is made in any case, for it may be refused; -2370 is tolerated (V8, licence errors).
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
