import { rename } from 'node:fs/promises'
import { commandLine } from '../command-line.ts'
import { runProgram } from '../run-program.ts'

/** A scene of a film's file, with its times in seconds. */
export interface LoopScene {
  file: string
  from: number
  to: number
}

/**
 * Length of a group of pictures, and so of the live channel's segments, in seconds. A loop consists of whole
 * groups.
 */
const GROUP_SECONDS = 2
/** Length of the fade from a loop's end to its beginning, in seconds. */
const FADE_SECONDS = GROUP_SECONDS
/** Shortest scene for a loop, in seconds. */
const SHORTEST_SECONDS = 3 * FADE_SECONDS

const LIMITS = { wallSeconds: 600, memoryBytes: 2e9, outputBytes: 1e6 }
const ENDLESS = { ...LIMITS, wallSeconds: Infinity }

/**
 * Makes an MP4 file that repeats without a visible cut, because the end of the scene fades into its beginning. The
 * bit rate is low, because a live channel stores everything that it receives.
 *
 * @throws ProgramError when ffmpeg fails
 * @throws RangeError for a scene that is too short
 */
export async function makeLoop(scene: LoopScene, target: string, signal: AbortSignal): Promise<void> {
  const length = Math.floor((scene.to - scene.from) / GROUP_SECONDS) * GROUP_SECONDS
  if (!(length >= SHORTEST_SECONDS)) throw new RangeError('the scene is too short for a loop')
  // The file begins `FADE_SECONDS` after the start of the scene. At the end of the file, the end of the scene fades
  // into these skipped first seconds, so that the start of the file continues them.
  const rest = length - FADE_SECONDS
  const at = rest - FADE_SECONDS
  const filters = [
    '[0:v:0]split[v1][v2]',
    `[v1]trim=start=${FADE_SECONDS},setpts=PTS-STARTPTS[vrest]`,
    `[v2]trim=end=${FADE_SECONDS},setpts=PTS-STARTPTS[vhead]`,
    `[vrest][vhead]xfade=transition=fade:duration=${FADE_SECONDS}:offset=${at}[v]`,
    '[0:a:0]asplit[a1][a2]',
    `[a1]atrim=start=${FADE_SECONDS},asetpts=PTS-STARTPTS[arest]`,
    `[a2]atrim=end=${FADE_SECONDS},asetpts=PTS-STARTPTS[ahead]`,
    `[arest][ahead]acrossfade=d=${FADE_SECONDS}[a]`,
  ].join(';')
  const part = `${target}.part`
  await runProgram({
    program: 'ffmpeg',
    arguments: [
      ...commandLine`-nostdin -hide_banner -v error -y -protocol_whitelist file`,
      ...commandLine`-ss ${scene.from} -t ${length} -i file:${scene.file}`,
      // Without `-map_chapters -1`, chapters would become a track of the file.
      ...commandLine`-filter_complex ${filters} -map [v] -map [a] -map_chapters -1`,
      ...commandLine`-c:v libx264 -preset veryfast -pix_fmt yuv420p -crf 25 -maxrate 1200k -bufsize 2400k`,
      ...commandLine`-force_key_frames expr:gte(t,n_forced*${GROUP_SECONDS}) -sc_threshold 0 -flags +cgop -threads 1`,
      ...commandLine`-c:a aac -b:a 96k -ac 2 -ar 48000 -movflags +faststart -f mp4 file:${part}`,
    ],
    signal,
    limits: LIMITS,
  })
  await rename(part, target)
}

/**
 * Sends a loop over SRT to a listener on this machine, in real time, until the connection ends. Copies the media,
 * which costs little processor time. The sender ends soon after this process or the listener ends in any way.
 *
 * @throws ProgramError when nothing listens on the port, or the connection has ended
 */
export async function sendLoop(file: string, port: number, signal: AbortSignal): Promise<void> {
  // Repeating an MP4 file causes no jump of the clock, because durations in MP4 are exact. MPEG-TS would only give
  // estimates.
  const options = 'mode=caller&latency=200000&connect_timeout=3000&pkt_size=1316'
  await runProgram({
    program: 'ffmpeg',
    arguments: [
      ...commandLine`-nostdin -hide_banner -v error -protocol_whitelist file,srt -re -stream_loop -1 -i file:${file}`,
      ...commandLine`-map 0:v -map 0:a -c copy -f mpegts srt://127.0.0.1:${port}?${options}`,
    ],
    signal,
    limits: ENDLESS,
    isUrgent: true,
  })
}
