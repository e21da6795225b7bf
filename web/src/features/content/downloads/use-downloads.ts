import { useSyncExternalStore } from 'react'
import { followDownloads } from './changes.ts'
import { type Download, downloadKey } from './download.ts'
import { listDownloads } from './store.ts'

/** The downloads of this device at the last read; undefined before the first read. */
let known: readonly Download[] | undefined
let unfollow: (() => void) | undefined
const listeners = new Set<() => void>()

/** Returns all downloads of this device, of all profiles; undefined until they are read, and on the server. */
export function useDownloads(): readonly Download[] | undefined {
  return useSyncExternalStore(
    follow,
    () => known,
    () => undefined,
  )
}

/** Returns the download of an asset by a profile. */
export function useDownload(profileId: number | undefined, assetId: number): Download | undefined {
  const key = profileId === undefined ? '' : downloadKey(profileId, assetId)
  return useDownloads()?.find((download) => download.key === key)
}

function follow(changed: () => void): () => void {
  listeners.add(changed)
  if (unfollow === undefined) {
    unfollow = followDownloads(() => void read())
    void read()
  }
  return () => listeners.delete(changed)
}

async function read(): Promise<void> {
  known = await listDownloads()
  for (const changed of listeners) changed()
}
