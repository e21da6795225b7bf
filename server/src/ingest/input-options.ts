import { isAbsolute } from 'node:path'
import { words } from './words.ts'

/**
 * The containers that are opened. Everything else that ffmpeg would recognise stays closed: playlists (HLS, DASH,
 * concatenation scripts) name other files and addresses, and text files become pictures of text.
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
 * The options before and with `-i` for a file that somebody else made: it is read as a file whatever its name looks
 * like, from a closed list of containers, and leads nowhere else.
 *
 * @param path absolute
 * @param originSeconds where time 0 shall lie, counted from the first thing in the file
 */
export function inputOptions(path: string, originSeconds = 0): string[] {
  if (!isAbsolute(path)) throw new RangeError(`not an absolute path: ${path}`)
  return [
    ...words`-protocol_whitelist file,pipe -format_whitelist ${CONTAINERS.join(',')}`,
    ...(originSeconds === 0 ? [] : words`-itsoffset ${-originSeconds}`),
    ...words`-i file:${path}`,
  ]
}
