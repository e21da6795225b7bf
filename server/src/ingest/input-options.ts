import { isAbsolute } from 'node:path'
import { commandLine } from './command-line.ts'

/**
 * The container formats that may be opened. All other formats of ffmpeg are excluded: playlists (HLS, DASH,
 * concatenation scripts) refer to other files and addresses, and text files would be rendered as pictures.
 */
const CONTAINERS = [
  'mov',
  'matroska',
  'webm',
  'mpegts',
  'mpeg',
  'avi',
  'flv',
  'asf',
  'ogg',
  'mxf',
  'dv',
  'rm',
]

/**
 * Returns ffmpeg's options up to and including `-i` for a file from an outside source. ffmpeg always reads the
 * path as a file, even if its name looks like an address. The file must have one of the listed container formats,
 * and cannot refer to other files.
 *
 * @param path absolute
 * @param originSeconds position of time 0, counted from the start of the file
 */
export function inputOptions(path: string, originSeconds = 0): string[] {
  if (!isAbsolute(path)) throw new RangeError(`not an absolute path: ${path}`)
  return [
    ...commandLine`-protocol_whitelist file,pipe -format_whitelist ${CONTAINERS.join(',')}`,
    ...(originSeconds === 0 ? [] : commandLine`-itsoffset ${-originSeconds}`),
    ...commandLine`-i file:${path}`,
  ]
}
