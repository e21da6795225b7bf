import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrackSet } from '@ondine/media/track-set'
import type { FinishedSet, PublishOptions, SegmentStore } from '../segments/segment-store.ts'
import type { Workspace } from './workspace.ts'

/**
 * Publishes a finished TrackSet as a whole or not at all. Also stores `track-set.json`, which describes the media,
 * so that the media is usable without the database.
 */
export async function publish(
  workspace: Workspace,
  segments: SegmentStore,
  trackSet: TrackSet,
  { reused, ...options }: PublishOptions & Pick<FinishedSet, 'reused'>,
): Promise<void> {
  await writeFile(join(workspace.set, 'track-set.json'), `${JSON.stringify(trackSet, null, 1)}\n`)
  await segments.publish({ id: trackSet.id, folder: workspace.set, ...(reused && { reused }) }, options)
}
