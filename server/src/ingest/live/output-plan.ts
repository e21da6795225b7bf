import { commandLine } from '../command-line.ts'
import { type FrameRate, outputRate, perSecond } from '../frame-rate.ts'
import { rungs } from '../ladder.ts'
import type { InputPicture, InputStream } from './input-streams.ts'

/** Sound tracks that are taken from an input. */
export const MOST_SOUNDS = 8

/** The streams that are taken from an input, and how streams that viewers' devices cannot play are encoded. */
export interface OutputPlan {
  picture: { index: number; encoding: PictureEncoding | null } | null
  sounds: { index: number; isEncoded: boolean }[]
  /** Its teletext, and the language of the subtitles if the source does not say which pages are subtitles. */
  teletext: { index: number; language: string } | null
  /** Index of the marks of advertisements (SCTE 35); null if there are none. */
  splices: number | null
}

/** How a picture is encoded. */
export interface PictureEncoding {
  deinterlace: boolean
  rate: FrameRate
  width: number
  height: number
  /** Constant bit rate, in bits per second. */
  bitRate: number
}

/** Kinds of tracks that have to be encoded whatever ffmpeg says of them, because their media could not be cut. */
export interface Forced {
  video: boolean
  audio: boolean
}

/** Chooses the streams to take. @returns the plan, and the streams that are left out, in words */
export function planOutput(
  streams: readonly InputStream[],
  forced: Forced,
): { plan: OutputPlan; left: string[] } {
  const picture = streams.find(({ kind }) => kind === 'video')
  // In a multiplex of several programmes, the sounds of the picture's programme are taken.
  const mine = (stream: InputStream): boolean => !picture || stream.programme === picture.programme
  const sounds = streams
    .filter((stream) => stream.kind === 'audio' && stream.sound && mine(stream))
    .slice(0, MOST_SOUNDS)
  const teletext = streams.find((stream) => stream.codec === 'dvb_teletext' && mine(stream))
  const splices = streams.find((stream) => stream.codec === 'scte_35' && mine(stream))
  const taken = new Set([picture, ...sounds, teletext, splices])
  return {
    plan: {
      picture: picture ? { index: picture.index, encoding: encodingOf(picture, forced.video) } : null,
      sounds: sounds.map((stream) => ({
        index: stream.index,
        isEncoded: forced.audio || !isCopiedSound(stream),
      })),
      teletext: teletext ? { index: teletext.index, language: teletext.language } : null,
      splices: splices?.index ?? null,
    },
    left: streams.filter((stream) => !taken.has(stream)).map((stream) => describeLeft(stream, mine(stream))),
  }
}

/** Returns whether ffmpeg does the same without a plan: it copies everything. */
export function copiesAll(plan: OutputPlan, streams: readonly InputStream[]): boolean {
  const { picture, sounds, teletext, splices } = plan
  if (teletext || splices !== null) return false
  const isCopied = !picture?.encoding && sounds.every(({ isEncoded }) => !isEncoded)
  return isCopied && sounds.length === streams.filter(({ kind }) => kind === 'audio').length
}

/** Pixel formats that every browser decodes. */
const PIXEL_FORMATS: ReadonlySet<string> = new Set(['yuv420p', 'yuvj420p'])
/** Profiles of AAC that every browser decodes. */
const AAC_PROFILES: ReadonlySet<string> = new Set(['LC', 'HE-AAC', 'HE-AACv2'])
/** Arrangements of channels for which `silence.ts` has a silent frame. */
const LAYOUTS = /^(?:mono|stereo|3\.0|4\.0|5\.[01])(?:\(.*\))?$/

/** Returns how a picture has to be encoded; null if it can be copied, or while nothing of it has arrived. */
function encodingOf({ codec, picture }: InputStream, isForced: boolean): PictureEncoding | null {
  if (!picture) return null
  const isFit = codec === 'h264' && PIXEL_FORMATS.has(picture.pixelFormat) && !picture.isInterlaced
  return isFit && !isForced ? null : encodingFor(picture)
}

/** Rate of a source that does not state its own. */
const USUAL_RATE = 25

function encodingFor({
  width,
  height,
  pixelAspect,
  framesPerSecond,
  isInterlaced,
}: InputPicture): PictureEncoding {
  const rate = outputRate(framesPerSecond || USUAL_RATE, false)
  const [best] = rungs(Math.round(width * pixelAspect), height, rate)
  return {
    deinterlace: isInterlaced,
    rate,
    width: best?.width ?? width,
    height: best?.height ?? height,
    bitRate: best?.maxRate ?? 0,
  }
}

function isCopiedSound({ codec, profile, sound }: InputStream): boolean {
  return codec === 'aac' && AAC_PROFILES.has(profile) && sound !== null && LAYOUTS.test(sound.layout)
}

function describeLeft({ id, kind, codec, language, sound }: InputStream, isMine: boolean): string {
  const name = [kind === 'unknown' ? 'stream' : kind, codec, ...(id === '' ? [] : [id])].join(' ')
  const spoken = language === 'und' ? name : `${name} (${language})`
  if (!isMine) return `${spoken}: belongs to another programme`
  if (kind === 'video') return `${spoken}: a second picture`
  if (kind === 'audio')
    return sound ? `${spoken}: more than ${MOST_SOUNDS} sounds` : `${spoken}: nothing arrives`
  if (codec === 'dvb_teletext') return `${spoken}: a second teletext`
  if (codec === 'dvb_subtitle') return `${spoken}: subtitles that are pictures`
  return `${spoken}: not supported`
}

/** Interval of key frames, in seconds. */
const GROUP_SECONDS = 2

/** Without an offset, a first decode time below zero would become a time near 2^64. In seconds. */
export const OFFSET_SECONDS = 10
const TIMES = commandLine`-output_ts_offset ${OFFSET_SECONDS} -avoid_negative_ts disabled`

/**
 * Returns the arguments of ffmpeg that write an input to its standard output, teletext as MPEG-TS to file descriptor
 * 3, and marks of advertisements to 4. Without a plan, picture and sound are copied.
 */
export function outputArguments(plan: OutputPlan | undefined): string[] {
  const { teletext = null, splices = null } = plan ?? {}
  return [
    ...(plan ? plannedTracks(plan) : commandLine`-map 0:v:0? -map 0:a? -c copy -bsf:a ${AAC_FILTER}`),
    ...commandLine`-dn -sn`,
    ...TIMES,
    ...commandLine`-video_track_timescale 90000 -use_editlist 0`,
    // A track that stops holds up the others for half a second at most. A key frame is seen when its fragment is
    // complete, so fragments are short.
    ...commandLine`-max_interleave_delta 500000 -flush_packets 1 -frag_duration 100000`,
    ...commandLine`-movflags +delay_moov+empty_moov+default_base_moof+frag_discont+frag_keyframe -f mp4 pipe:1`,
    ...(teletext
      ? [
          ...commandLine`-map 0:${teletext.index} -c copy`,
          ...TIMES,
          // ffmpeg corrects times of teletext that are far from the clock of MPEG-TS. Without a delay, they are near.
          ...commandLine`-flush_packets 1 -muxdelay 0 -mpegts_copyts 1 -f mpegts pipe:3`,
        ]
      : []),
    ...(splices === null ? [] : commandLine`-map 0:${splices} -c copy -flush_packets 1 -f data pipe:4`),
  ]
}

function plannedTracks({ picture, sounds }: OutputPlan): string[] {
  return [
    ...(picture ? commandLine`-map 0:${picture.index}` : []),
    ...sounds.flatMap(({ index }) => commandLine`-map 0:${index}`),
    ...(picture?.encoding ? encodedPicture(picture.encoding) : commandLine`-c:v copy`),
    ...sounds.flatMap(({ isEncoded }, place) => (isEncoded ? encodedSound(place) : copiedSound(place))),
  ]
}

function encodedPicture({ deinterlace, rate, width, height, bitRate }: PictureEncoding): string[] {
  const group = Math.round(GROUP_SECONDS * perSecond(rate))
  const filters = [
    ...(deinterlace ? ['bwdif=mode=send_frame'] : []),
    `fps=${rate.numerator}/${rate.denominator}`,
    // The output keeps its size when the source changes its size within the stream.
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
    `pad=${width}:${height}:-1:-1`,
    'setsar=1',
    'format=yuv420p',
  ]
  return [
    ...commandLine`-filter:v ${filters.join(',')} -c:v libx264 -preset veryfast -profile:v high -threads 4`,
    ...commandLine`-b:v ${bitRate} -maxrate ${bitRate} -bufsize ${bitRate}`,
    ...commandLine`-g ${group} -keyint_min ${group} -sc_threshold 0 -flags +cgop`,
  ]
}

/** Takes AAC out of the frames that MPEG-TS puts it in. ffmpeg ends at once if the sound is not AAC. */
const AAC_FILTER = 'aac_adtstoasc'

function copiedSound(place: number): string[] {
  return commandLine`-c:a:${place} copy -bsf:a:${place} ${AAC_FILTER}`
}

function encodedSound(place: number): string[] {
  return [
    // Lost sound is replaced by silence of the same length, so that the rest stays in step with the picture.
    ...commandLine`-filter:a:${place} aresample=48000:async=1`,
    ...commandLine`-c:a:${place} aac -ac:a:${place} 2 -b:a:${place} 160k`,
  ]
}
