import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ThumbnailTiles } from '@ondine/media/track-set'
import { commandLine } from './command-line.ts'
import { inputOptions } from './input-options.ts'
import type { Plan } from './plan.ts'
import { programReason, runProgram } from './run-program.ts'
import type { Workspace } from './workspace.ts'

/** Sides of the box that thumbnails must fit into, in pixels. */
const LONG_SIDE = 256
const SHORT_SIDE = 144
const COLUMNS = 5
const ROWS = 5

/** Duration in seconds above which only every third segment gets a thumbnail. */
const LONG_FILM_SECONDS = 3600

/**
 * Makes the tiles of thumbnails for scrubbing, from the smallest rendition. Decodes only key frames: thumbnails
 * are taken exactly at segment starts, which always have a key frame.
 */
export async function makeThumbnails(
  workspace: Workspace,
  plan: Plan,
  signal: AbortSignal,
): Promise<ThumbnailTiles> {
  const smallest = plan.pictures.at(-1)
  if (smallest === undefined) throw new RangeError('there is no rendition for thumbnails')
  const interval = plan.segmentSeconds * (plan.durationSeconds > LONG_FILM_SECONDS ? 3 : 1)
  const size = fit(smallest)
  await mkdir(join(workspace.set, 'thumbnails'))
  const atBoundary = `lt(mod(t+0.01\\,${interval})\\,0.02)`
  try {
    await runProgram({
      program: 'ffmpeg',
      arguments: [
        ...commandLine`-nostdin -hide_banner -v error -skip_frame nokey -threads 1`,
        ...inputOptions(join(workspace.work, `${smallest.id}.mp4`)),
        ...commandLine`-vf select=${atBoundary},scale=${size.width}:${size.height}:flags=bicubic,setsar=1,tile=${COLUMNS}x${ROWS}`,
        ...commandLine`-fps_mode passthrough -q:v 5 -f image2 thumbnails/%d.jpg`,
      ],
      // ffmpeg interprets the output path as a pattern. The path is relative, so that folder names are not part of
      // the pattern.
      folder: workspace.set,
      signal,
      limits: { wallSeconds: Math.max(300, plan.durationSeconds), memoryBytes: 4e9, outputBytes: 1e6 },
    })
  } catch (error) {
    throw programReason(error, 'encodingFailed')
  }
  return {
    tileWidth: size.width,
    tileHeight: size.height,
    columns: COLUMNS,
    rows: ROWS,
    intervalSeconds: interval,
    count: Math.ceil(plan.durationSeconds / interval - 1e-6),
  }
}

/**
 * Returns the size of thumbnails within the box, with even sides as 4:2:0 requires. For upright pictures, the box
 * is upright.
 */
function fit({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(LONG_SIDE / Math.max(width, height), SHORT_SIDE / Math.min(width, height))
  const even = (value: number) => Math.max(2, Math.round((value * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}
