import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { TrackSet } from '@ondine/media/track-set'
import {
  type FinishedSet,
  type PublishOptions,
  type SegmentStore,
  StoreError,
} from '../segments/segment-store.ts'
import type { Workspace } from './workspace.ts'

/**
 * Shortest and longest pause between attempts to publish in a full store, in milliseconds. The pauses grow, because
 * each attempt may upload much of a film, and takes the last space from live inputs for that time.
 */
const PAUSE_MS = { first: 1000, longest: 600_000 }

/** Says whether publishing waits while the store is full. */
export interface FullStoreOptions {
  /**
   * Called for each attempt that finds the store full. If given, the call waits for space, until `signal` aborts.
   * Otherwise, it throws the `StoreError`.
   */
  onFull?: (error: StoreError) => void
}

/**
 * Publishes a finished TrackSet as a whole or not at all. Also stores `track-set.json`, which describes the media,
 * so that the media is usable without the database.
 */
export async function publish(
  workspace: Workspace,
  segments: SegmentStore,
  trackSet: TrackSet,
  { reused, onFull, ...options }: PublishOptions & FullStoreOptions & Pick<FinishedSet, 'reused'>,
): Promise<void> {
  await writeFile(join(workspace.set, 'track-set.json'), `${JSON.stringify(trackSet, null, 1)}\n`)
  const finished = { id: trackSet.id, folder: workspace.set, ...(reused && { reused }) }
  for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
    try {
      await segments.publish(finished, options)
      return
    } catch (error) {
      if (onFull === undefined || !(error instanceof StoreError) || error.kind !== 'full') throw error
      onFull(error)
    }
    await rest(pause, options.signal)
  }
}

/** @throws the signal's reason when it aborts */
async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
