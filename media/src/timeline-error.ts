/**
 * The closed list of reasons why a TrackSet, a Layout, a Span, a schedule entry or a Timeline is rejected. Code
 * uses the error code, and people read the message. A retired code is never reused.
 */
const TIMELINE_ERROR_CODES = {
  'bad-identifier': 'an id has characters that an address may not have, or is reserved',
  'duplicate-rendition': 'two renditions, or two slots of a Layout, have the same id',
  'no-picture-no-sound': 'there is neither a video nor an audio rendition',
  'bad-rendition': 'a rendition has an impossible number or an empty codec',
  'bad-segments': 'a rendition has no segments, or a segment without a positive whole length',
  'bad-key': 'a key id is not 128 bits in hexadecimal digits',
  'bad-thumbnails': 'thumbnail tiles have an impossible number',
  'not-an-integer': 'a time, a number or a count is not a whole number',
  negative: 'a time, a number or a count is below its minimum',
  empty: 'a Timeline has no Span, or a Span no segment',
  'no-such-segment': 'a Span goes beyond the segments that its TrackSet has',
  'unknown-rendition': 'a mapping names a rendition that the TrackSet lacks, or one of another kind',
  'unknown-slot': 'a mapping names a slot that the Layout lacks',
  'missing-video': 'the Layout shows a picture and the TrackSet has none',
  'missing-audio': 'the Layout has sound and the TrackSet has none',
  'codec-mismatch': 'no rendition of the TrackSet has the codec of a slot',
  'segment-too-long': 'a segment is longer than the target duration of the Layout',
  'unaligned-rendition': 'on a channel, a rendition is not cut where the picture is cut',
  'rendition-too-short': 'on a channel, a rendition ends before the segments that the Span plays',
  gap: 'a Span begins after the end of the Span before it',
  overlap: 'a Span begins before the end of the Span before it',
  unordered: 'a Span begins before the Span before it begins',
  'wrong-media-sequence': 'the count of earlier segments does not continue the Span before',
  'wrong-discontinuity-sequence': 'the count of earlier Spans does not continue the Span before',
} as const

export type TimelineErrorCode = keyof typeof TIMELINE_ERROR_CODES

/** Thrown for invalid input of this package. `code` is the reason, and `subject` names the invalid object. */
export class TimelineError extends Error {
  override readonly name = 'TimelineError'
  readonly code: TimelineErrorCode
  /** Id or position of the rejected object, e.g. `span 3` or `rendition a-fra-1`. */
  readonly subject: string

  constructor(code: TimelineErrorCode, subject: string) {
    super(`${subject}: ${TIMELINE_ERROR_CODES[code]}`)
    this.code = code
    this.subject = subject
  }
}
