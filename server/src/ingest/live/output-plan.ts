import { commandLine } from '../command-line.ts'
import { type FrameRate, outputRate, perSecond } from '../frame-rate.ts'
import { LADDER_HEIGHTS, type Rung, rungs } from '../ladder.ts'
import type { InputStream } from './input-streams.ts'

/** Maximum number of sounds taken from an input. */
export const MOST_SOUNDS = 8

/** The streams to take from an input, and how to encode those that viewers' devices cannot play. */
export interface OutputPlan {
  picture: PicturePlan | null
  sounds: { index: number; isEncoded: boolean }[]
  /**
   * The teletext stream. `language` applies to the subtitles if the source does not say which pages are subtitles.
   */
  teletext: { index: number; language: string } | null
  /** Index of the stream with splices (SCTE 35); null if the input has none. */
  splices: number | null
  /**
   * Indexes of pictures and sounds that the source declares without sending them. ffmpeg decodes each to an output of
   * its own, and reports that output when the first data arrives. The media does not wait for them. Omitted if there
   * are none.
   */
  awaited?: number[]
}

/** The picture of an input. Its first rendition is the copied or encoded picture. */
interface PicturePlan {
  index: number
  /** How the first rendition is encoded; null if it is copied. */
  encoding: PictureEncoding | null
  /** Whether the pixels of the source are not square. Omitted if they are. */
  isAnamorphic?: boolean
  /** The lower renditions, largest first. They are always encoded. Omitted if there are none. */
  lower?: LowerPicture[]
}

/** How the first rendition of a picture is encoded. */
interface PictureEncoding extends LowerPicture {
  deinterlace: boolean
}

/** How a lower rendition of a picture is encoded. */
interface LowerPicture {
  rate: FrameRate
  width: number
  height: number
  /** Constant bit rate, in bits per second. */
  bitRate: number
}

/**
 * Kinds of tracks that must be encoded even if ffmpeg reports a suitable format, because their media could not be
 * cut.
 */
export interface Forced {
  video: boolean
  audio: boolean
}

/**
 * Chooses the streams to take.
 *
 * @param ladder heights of the picture's renditions, see `LADDER_HEIGHTS`; null for one rendition of any size
 * @returns the plan, and descriptions of the other streams
 */
export function planOutput(
  streams: readonly InputStream[],
  forced: Forced,
  ladder: readonly number[] | null = null,
): { plan: OutputPlan; left: string[] } {
  const pictures = streams.filter(({ kind }) => kind === 'video')
  const [first] = pictures
  // In a multiplex of several programmes, only streams of the first picture's programme are taken.
  const mine = (stream: InputStream): boolean => !first || stream.programme === first.programme
  const declared = streams.filter((stream) => stream.kind === 'audio' && mine(stream))
  const sounds = declared.filter(({ isSilent }) => !isSilent).slice(0, MOST_SOUNDS)
  const arriving = pictures.find((stream) => mine(stream) && !stream.isSilent)
  // A picture that does not arrive is left out, so that viewers get the sound.
  const picture = arriving ?? (sounds.length > 0 ? undefined : first)
  const awaited = [
    ...(first && first !== picture ? [first] : []),
    ...declared.filter(({ isSilent }) => isSilent).slice(0, MOST_SOUNDS - sounds.length),
  ].filter(({ codec }) => RECOGNISED.has(codec))
  const teletext = streams.find((stream) => stream.codec === 'dvb_teletext' && mine(stream))
  const splices = streams.find((stream) => stream.codec === 'scte_35' && mine(stream))
  const taken = new Set([picture, ...sounds, teletext, splices])
  return {
    plan: {
      picture: picture ? pictureOf(picture, forced.video, ladder) : null,
      sounds: sounds.map((stream) => ({
        index: stream.index,
        isEncoded: forced.audio || !isCopiedSound(stream),
      })),
      teletext: teletext ? { index: teletext.index, language: teletext.language } : null,
      splices: splices?.index ?? null,
      ...(awaited.length > 0 && { awaited: awaited.map(({ index }) => index) }),
    },
    left: streams.filter((stream) => !taken.has(stream)).map((stream) => describeLeft(stream, mine(stream))),
  }
}

/** Codecs of which ffmpeg has a decoder. Without a decoder, ffmpeg would end at once. */
const RECOGNISED: ReadonlySet<string> = new Set([
  'h264',
  'hevc',
  'mpeg2video',
  'aac',
  'aac_latm',
  'ac3',
  'eac3',
  'mp2',
  // ffmpeg's name for MPEG audio of which nothing has arrived.
  'mp3',
])

/** Returns whether the plan copies everything, so that ffmpeg does the same without a plan. */
export function copiesAll(plan: OutputPlan, streams: readonly InputStream[]): boolean {
  const { picture, sounds, teletext, splices, awaited = [] } = plan
  if (teletext || splices !== null || awaited.length > 0) return false
  const isCopied = !picture?.encoding && !picture?.lower && sounds.every(({ isEncoded }) => !isEncoded)
  return isCopied && sounds.length === streams.filter(({ kind }) => kind === 'audio').length
}

/** Pixel formats that every browser decodes. */
const PIXEL_FORMATS: ReadonlySet<string> = new Set(['yuv420p', 'yuvj420p'])
/** Profiles of AAC that every browser decodes. */
const AAC_PROFILES: ReadonlySet<string> = new Set(['LC', 'HE-AAC', 'HE-AACv2'])
/** Channel layouts for which `silence.ts` has a silent frame. */
const LAYOUTS = /^(?:mono|stereo|3\.0|4\.0|5\.[01])(?:\(.*\))?$/

/** Frames per second assumed for a source that does not state its rate. */
const USUAL_RATE = 25

/** A picture fits a rung if the rung has at least this share of the picture's height. Some pictures have 1088 lines. */
const FITTING = 0.98

/** Returns how the renditions of a picture are made. Copies a picture of which nothing is known yet. */
function pictureOf(
  { index, codec, picture }: InputStream,
  isForced: boolean,
  ladder: readonly number[] | null,
): PicturePlan {
  if (!picture) return { index, encoding: null }
  const { width, height, pixelAspect, framesPerSecond, isInterlaced } = picture
  const rate = outputRate(framesPerSecond || USUAL_RATE, false)
  const [top, ...lower] = rungs(
    Math.round(width * pixelAspect),
    height,
    rate,
    ladder ?? LADDER_HEIGHTS.slice(0, 1),
  ).map((rung) => encodedAs(rung, rate))
  const isPlayable = codec === 'h264' && PIXEL_FORMATS.has(picture.pixelFormat) && !isInterlaced
  const isSmallEnough = ladder === null || !top || top.height >= height * FITTING
  const isCopied = isPlayable && isSmallEnough && !isForced
  const size = top ?? { rate, width, height, bitRate: 0 }
  return {
    index,
    encoding: isCopied ? null : { deinterlace: isInterlaced, ...size },
    ...(pixelAspect !== 1 && { isAnamorphic: true }),
    ...(lower.length > 0 && { lower }),
  }
}

function encodedAs({ width, height, maxRate }: Rung, rate: FrameRate): LowerPicture {
  return { rate, width, height, bitRate: maxRate }
}

function isCopiedSound({ codec, profile, sound }: InputStream): boolean {
  return codec === 'aac' && AAC_PROFILES.has(profile) && sound !== null && LAYOUTS.test(sound.layout)
}

function describeLeft({ id, kind, codec, language, isSilent }: InputStream, isMine: boolean): string {
  const name = [kind === 'unknown' ? 'stream' : kind, codec, ...(id === '' ? [] : [id])].join(' ')
  const spoken = language === 'und' ? name : `${name} (${language})`
  if (!isMine) return `${spoken}: belongs to another programme`
  if (isSilent) return `${spoken}: nothing arrives`
  if (kind === 'video') return `${spoken}: a second picture`
  if (kind === 'audio') return `${spoken}: more than ${MOST_SOUNDS} sounds`
  if (codec === 'dvb_teletext') return `${spoken}: a second teletext`
  if (codec === 'dvb_subtitle') return `${spoken}: subtitles that are pictures`
  return `${spoken}: not supported`
}

/** Interval of key frames, in seconds. */
const GROUP_SECONDS = 2
/** Longest interval of key frames of a rendition that has them where the copied picture has them, in seconds. */
const LONGEST_GROUP_SECONDS = 20

/** Offset of all times, in seconds. Without it, a first decode time below zero would become a time near 2^64. */
export const OFFSET_SECONDS = 10
const TIMES = commandLine`-output_ts_offset ${OFFSET_SECONDS} -avoid_negative_ts disabled`

/**
 * Returns ffmpeg's output arguments for an input. The media goes to the standard output, teletext as MPEG-TS to
 * file descriptor 3, splices to file descriptor 4, and the list of packets of an encoded picture to file descriptor 5.
 * Without a plan, picture and sound are copied.
 */
export function outputArguments(plan: OutputPlan | undefined): string[] {
  const { picture = null, teletext = null, splices = null, awaited = [] } = plan ?? {}
  return [
    ...(plan ? plannedTracks(plan) : commandLine`-map 0:v:0? -map 0:a? -c copy -bsf:a ${AAC_FILTER}`),
    ...commandLine`-dn -sn`,
    ...TIMES,
    ...commandLine`-video_track_timescale 90000 -use_editlist 0`,
    // A track that stops delays the others by half a second at most. Fragments are short, because a key frame is
    // only visible when its fragment is complete.
    ...commandLine`-max_interleave_delta 500000 -flush_packets 1 -frag_duration 100000`,
    ...commandLine`-movflags +delay_moov+empty_moov+default_base_moof+frag_discont+frag_keyframe -f mp4 pipe:1`,
    ...(teletext
      ? [
          ...commandLine`-map 0:${teletext.index} -c copy`,
          ...TIMES,
          // ffmpeg changes teletext times that are far from the MPEG-TS clock. `-muxdelay 0` keeps them close to
          // the clock.
          ...commandLine`-flush_packets 1 -muxdelay 0 -mpegts_copyts 1 -f mpegts pipe:3`,
        ]
      : []),
    ...(splices === null ? [] : commandLine`-map 0:${splices} -c copy -flush_packets 1 -f data pipe:4`),
    ...(picture?.encoding
      ? commandLine`-map 0:${picture.index} -c copy -flush_packets 1 -f framecrc pipe:5`
      : []),
    ...awaited.flatMap((index) => commandLine`-map 0:${index} -f null -`),
  ]
}

function plannedTracks({ picture, sounds }: OutputPlan): string[] {
  return [
    ...(picture ? plannedPicture(picture) : []),
    ...sounds.flatMap(({ index }) => commandLine`-map 0:${index}`),
    ...sounds.flatMap(({ isEncoded }, place) => (isEncoded ? encodedSound(place) : copiedSound(place))),
  ]
}

function plannedPicture(plan: PicturePlan): string[] {
  const { index, encoding, lower = [] } = plan
  if (!encoding && lower.length === 0) return commandLine`-map 0:${index} -c:v copy`
  const first = encoding ? commandLine`-map [p0]` : commandLine`-map 0:${index} -c:v:0 copy`
  return [
    ...commandLine`-filter_complex ${filterGraph(plan)}`,
    ...first,
    ...lower.flatMap((_rung, at) => commandLine`-map [p${at + 1}]`),
    ...(encoding ? encodedPicture(0, encoding, true) : []),
    ...lower.flatMap((rung, at) => encodedPicture(at + 1, rung, encoding !== null)),
  ]
}

/**
 * Returns the filters that make the encoded renditions `p0`, `p1` and so on. If the first one is encoded, the others are
 * made of it, so all have the same frames. If it is copied, the others keep each of its frames with its time.
 */
function filterGraph({ index, encoding, isAnamorphic = false, lower = [] }: PicturePlan): string {
  const outputs = [...(encoding ? ['p0'] : []), ...lower.map((_rung, at) => `s${at + 1}`)]
  const source = [
    ...(encoding?.deinterlace ? ['bwdif=mode=send_frame'] : []),
    ...(encoding ? [`fps=${encoding.rate.numerator}/${encoding.rate.denominator}`] : []),
    ...(encoding ? [fitted(encoding, isAnamorphic)] : []),
    `split=${outputs.length}`,
  ]
  return [
    `[0:${index}]${source.join(',')}${outputs.map((name) => `[${name}]`).join('')}`,
    ...lower.map((rung, at) => `[s${at + 1}]${fitted(rung, !encoding && isAnamorphic)}[p${at + 1}]`),
  ].join(';')
}

/**
 * Returns filters that fit a picture into a size. The output keeps its size even if the source changes its own. Pixels
 * that are not square become square.
 */
function fitted({ width, height }: LowerPicture, isAnamorphic: boolean): string {
  const keepAspect = isAnamorphic ? '' : ':force_original_aspect_ratio=decrease:force_divisible_by=2'
  return [
    `scale=${width}:${height}${keepAspect}`,
    `pad=${width}:${height}:-1:-1`,
    'setsar=1',
    'format=yuv420p',
  ].join(',')
}

/**
 * Returns the options of an encoded rendition.
 *
 * @param isRegular whether the frames have a constant rate. Otherwise they are those of the copied rendition, and key
 * frames come where it has key frames.
 */
function encodedPicture(place: number, { rate, bitRate }: LowerPicture, isRegular: boolean): string[] {
  const of = (name: string): string => `-${name}:v:${place}`
  const group = Math.round((isRegular ? GROUP_SECONDS : LONGEST_GROUP_SECONDS) * perSecond(rate))
  return [
    ...commandLine`-c:v:${place} libx264 ${of('preset')} veryfast ${of('profile')} high ${of('threads')} 4`,
    ...commandLine`${of('b')} ${bitRate} ${of('maxrate')} ${bitRate} ${of('bufsize')} ${bitRate}`,
    ...commandLine`${of('g')} ${group} ${of('sc_threshold')} 0 ${of('flags')} +cgop`,
    ...(isRegular
      ? commandLine`${of('keyint_min')} ${group}`
      : commandLine`${of('force_key_frames')} source ${of('fps_mode')} vfr ${of('enc_time_base')} 1:90000`),
  ]
}

/** Removes the MPEG-TS framing (ADTS) of AAC. ffmpeg ends at once if the sound is not AAC. */
const AAC_FILTER = 'aac_adtstoasc'

function copiedSound(place: number): string[] {
  return commandLine`-c:a:${place} copy -bsf:a:${place} ${AAC_FILTER}`
}

function encodedSound(place: number): string[] {
  return [
    // Replaces lost sound by silence of the same length, so that the rest stays in sync with the picture.
    ...commandLine`-filter:a:${place} aresample=48000:async=1`,
    ...commandLine`-c:a:${place} aac -ac:a:${place} 2 -b:a:${place} 160k`,
  ]
}
