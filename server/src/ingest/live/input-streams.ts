import { languageCode } from '../language-codes.ts'

/** A stream of an input, as ffmpeg describes it after opening the input. */
export interface InputStream {
  /** Position in the input, from 0. */
  index: number
  /** The stream's identifier in MPEG-TS, such as `0x101`; empty for other formats. */
  id: string
  kind: 'video' | 'audio' | 'subtitle' | 'data' | 'unknown'
  /** ffmpeg's name of the codec, such as `h264`; `none` for an unknown codec. */
  codec: string
  /** ffmpeg's name of the profile, such as `LC`; empty if unknown. */
  profile: string
  /** Language by ISO 639-2/T; `und` if the source does not state it. */
  language: string
  /** Number of the MPEG-TS programme that contains the stream; null if no programme does. */
  programme: number | null
  /** Properties of a video stream; null for other streams, and while the size of the picture is unknown. */
  picture: InputPicture | null
  /** Properties of an audio stream; null for other streams, and while no sound arrives. */
  sound: InputSound | null
  /** Whether the source declares this picture or sound without sending it. */
  isSilent: boolean
}

/** Properties of a picture, as ffmpeg lists them. */
interface InputPicture {
  pixelFormat: string
  width: number
  height: number
  /** Width of a pixel divided by its height. */
  pixelAspect: number
  isInterlaced: boolean
  /** Frames per second; 0 if unknown. */
  framesPerSecond: number
}

/** Properties of a sound, as ffmpeg lists them. */
interface InputSound {
  sampleRate: number
  /** ffmpeg's name of the channel layout, such as `stereo`. */
  layout: string
}

/**
 * Longest line that is read, in characters. For a repeated file, ffmpeg prints the list of its inputs, some 100
 * kB, in one line.
 */
const LONGEST_LINE = 256 * 1024

/** Maximum number of streams that are read. A multiplex of many programmes has fewer. */
const MOST_STREAMS = 500

/**
 * Matches a message that is not indented. The first such message ends ffmpeg's list of streams. Each message
 * begins with its level (`-v level+info`).
 */
const OUTSIDE = /^\[(?:info|error|fatal|panic)\] \S/

const STREAM =
  /^\[info\] +Stream #0:(\d+)(?:\[(0x[0-9a-f]+)\])?(?:\(([^)]*)\))?: (Video|Audio|Subtitle|Data|Unknown): (.*)$/

/** Matches ffmpeg's message about a stream that appeared after the input was opened. */
const NEW_STREAM = /\[warning\] New (?:video|audio|subtitle) stream 0:\d+ /
const NEW_DATA = /\[warning\] New data stream 0:\d+ /
/** Matches ffmpeg's message about the first data of an awaited stream, see `OutputPlan`. */
const AWAITED = /^\[info\] Output #\d+, null, to /

/** The news that {@link StreamList} found in a part of the messages. */
export interface StreamNews {
  /** The streams, in the part that completes their list. */
  streams: InputStream[] | undefined
  /** Whether another picture, sound or subtitle stream appeared after the list was complete. */
  isOutdated: boolean
  /** Whether a data stream appeared after the list was complete. It may have splices. */
  hasNewData: boolean
  /** Whether the first data of an awaited stream arrived. */
  hasAwaited: boolean
}

/** Reads the list of an input's streams from the messages of ffmpeg. */
export class StreamList {
  #rest = ''
  #streams: InputStream[] | undefined
  #programme: number | null = null
  #isComplete = false
  #startSeconds: number | null = null

  /** Time at which the input's media begins, on the input's own clock, in seconds; null if unknown. */
  get startSeconds(): number | null {
    return this.#startSeconds
  }

  /** Adds the next part of the messages. */
  push(text: string): StreamNews {
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_LINE)
    const news: StreamNews = { streams: undefined, isOutdated: false, hasNewData: false, hasAwaited: false }
    for (const line of lines) {
      if (this.#isComplete) {
        news.isOutdated ||= NEW_STREAM.test(line)
        news.hasNewData ||= NEW_DATA.test(line)
        news.hasAwaited ||= AWAITED.test(line)
      } else if (this.#streams && OUTSIDE.test(line)) {
        this.#isComplete = true
        news.streams = this.#streams
      } else if (line.startsWith('[info] Input #0, ')) this.#streams = []
      else this.#read(line)
    }
    return news
  }

  #read(line: string): void {
    const start = /^\[info\] {3}Duration: [^,]*, start: (-?[\d.]+)/.exec(line)?.[1]
    if (start !== undefined) this.#startSeconds = Number(start)
    const programme = /^\[info\] {3}(?:Program (\d+)|No Program)/.exec(line)
    if (programme) this.#programme = programme[1] === undefined ? null : Number(programme[1])
    const [, index, id = '', languages = '', kind = '', description = ''] = STREAM.exec(line) ?? []
    const streams = this.#streams
    if (!streams || index === undefined || streams.length >= MOST_STREAMS) return
    // Skips a stream that was already listed for an earlier programme.
    if (streams.some((stream) => stream.index === Number(index))) return
    const picture = kind === 'Video' ? pictureOf(description) : null
    const sound = kind === 'Audio' ? soundOf(description) : null
    streams.push({
      index: Number(index),
      id,
      kind: kind.toLowerCase() as InputStream['kind'],
      codec: /^[\w-]+/.exec(description)?.[0] ?? 'none',
      profile: /^[\w-]+ \(([^()[\]]*)\)/.exec(description)?.[1] ?? '',
      language: languageCode(languages.split(',')[0] ?? '') ?? 'und',
      programme: this.#programme,
      picture,
      sound,
      // ffmpeg knows the rate of a picture that arrives, even before a key frame tells its size.
      isSilent: kind === 'Video' ? !picture && !RATE.test(description) : kind === 'Audio' && !sound,
    })
  }
}

/** Matches the frame rate of a picture. */
const RATE = /, ([\d.]+) fps\b/

function pictureOf(description: string): InputPicture | null {
  const [, pixelFormat = '', width = '', height = ''] =
    /, (\w+)(?:\(.*?\))?, (\d+)x(\d+)\b/.exec(description) ?? []
  if (Number(width) === 0 || Number(height) === 0) return null
  const [, across, down] = /\bSAR (\d+):(\d+)/.exec(description) ?? []
  const aspect = Number(across) / Number(down)
  const rate = RATE.exec(description)?.[1] ?? /, ([\d.]+) tbr\b/.exec(description)?.[1]
  return {
    pixelFormat,
    width: Number(width),
    height: Number(height),
    pixelAspect: aspect > 0.1 && aspect < 10 ? aspect : 1,
    isInterlaced: /\b(?:top|bottom) (?:coded )?first\b/.test(description),
    framesPerSecond: Number(rate ?? 0),
  }
}

function soundOf(description: string): InputSound | null {
  const [, rate, layout = ''] = /, (\d+) Hz, ([^,]+)/.exec(description) ?? []
  return Number(rate) > 0 && layout !== '0 channels' ? { sampleRate: Number(rate), layout } : null
}
