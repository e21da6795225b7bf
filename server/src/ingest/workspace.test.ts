import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrackSet } from '@ondine/media/track-set'
import { expect, it } from 'vitest'
import { folderSegments } from '../segments/folder-segments.ts'
import { removeTrackSet } from '../segments/segment-store.ts'
import { publish } from './publish.ts'
import { useWorkbench } from './test-ingest.ts'
import { clearWorkspaces, makeWorkspace } from './workspace.ts'

const bench = useWorkbench()
const id = 'a'.repeat(32)
const trackSet: TrackSet = { id, encryption: null, renditions: [], thumbnails: null }
const { signal } = new AbortController()

it('removes unfinished work of a killed process, and keeps published TrackSets', async () => {
  const root = bench.file('root')
  const published = await makeWorkspace(root, id)
  await publish(published, folderSegments(root), trackSet, { signal })
  const left = await makeWorkspace(root, 'b'.repeat(32))
  await writeFile(join(left.work, 'v720.mp4'), 'half')
  await writeFile(join(left.set, 'half.m4s'), 'half')
  expect((await readdir(root)).sort()).toEqual(['.making', id])

  expect(await clearWorkspaces(root, Date.now() - 60_000)).toBe(0)
  expect(await clearWorkspaces(root, Date.now() + 60_000)).toBe(2)
  expect(await readdir(join(root, '.making'))).toEqual([])
  expect(await readdir(join(root, id))).toEqual(['track-set.json'])
})

it('creates a media root that does not exist', async () => {
  expect(await clearWorkspaces(bench.file('new/root'), Date.now())).toBe(0)
})

it('removes a TrackSet only by its id', async () => {
  const root = bench.file('root-2')
  await mkdir(join(root, id), { recursive: true })
  for (const bad of ['', '..', '../root', '.making', 'A'.repeat(32)]) {
    await expect(removeTrackSet(folderSegments(root), bad)).rejects.toThrow('not the id')
  }
  await removeTrackSet(folderSegments(root), id)
  expect(await readdir(root)).toEqual(['.making'])
  expect(await readdir(join(root, '.making'))).toEqual([])
  await removeTrackSet(folderSegments(root), id)
})
