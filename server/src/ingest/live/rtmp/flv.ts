import { lengthOfString } from './amf.ts'
import type { RtmpMessage } from './chunks.ts'

/** Types of media messages. FLV tags have the same types. */
const AUDIO = 8
const VIDEO = 9
const SCRIPT = 18

/** Codecs and kinds of packets in the first bytes of a tag (FLV 10.1, annex E.4). */
const AVC = 7
const AAC = 10
const KEY_FRAME = 1
const SEQUENCE_HEADER = 0

/**
 * Header of an FLV file with audio and video. The last four bytes are the length of the tag before the first tag,
 * which is 0.
 */
export const FLV_HEADER = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0])

/** Returns whether a message is media: audio, video, or a description of the stream (script data). */
export function isMedia({ type }: RtmpMessage): boolean {
  return type === AUDIO || type === VIDEO || type === SCRIPT
}

/** Kind of a media message. A reader that joins later gets only messages of some kinds. */
export type FlvPart = 'description' | 'pictureFormat' | 'soundFormat' | 'keyFrame' | 'frame'

/** Returns the kind of a media message. */
export function partOf({ type, body: [first = 0, second] }: RtmpMessage): FlvPart {
  if (type === SCRIPT) return 'description'
  if (type === AUDIO) return first >> 4 === AAC && second === SEQUENCE_HEADER ? 'soundFormat' : 'frame'
  if ((first & 0x0f) === AVC && second === SEQUENCE_HEADER) return 'pictureFormat'
  return first >> 4 === KEY_FRAME ? 'keyFrame' : 'frame'
}

/** Converts a media message to an FLV tag. */
export function flvTag(message: RtmpMessage): Buffer {
  const { type, timestamp } = message
  // Removes the command name that senders put before the description. FLV files do not contain it.
  const body =
    type === SCRIPT ? message.body.subarray(lengthOfString(message.body, '@setDataFrame')) : message.body
  const tag = Buffer.alloc(11 + body.length + 4)
  tag.writeUInt8(type)
  tag.writeUIntBE(body.length, 1, 3)
  tag.writeUIntBE(timestamp & 0xff_ff_ff, 4, 3)
  tag.writeUInt8(timestamp >>> 24, 7)
  body.copy(tag, 11)
  tag.writeUInt32BE(11 + body.length, 11 + body.length)
  return tag
}
