/** Sections of ANSI/SCTE 35 for tests, written bit by bit. Their checksums are left 0. */

interface InsertOptions {
  event?: number
  isOut?: boolean
  isImmediate?: boolean
  isCancelled?: boolean
  components?: number
  durationMs?: number
}

/** Returns a section with a `splice_insert` (section 9.7.3). */
export function spliceInsert({
  event = 1,
  isOut = false,
  isImmediate = false,
  isCancelled = false,
  components = 0,
  durationMs,
}: InsertOptions): Uint8Array {
  if (isCancelled) return section(0x05, [...bytes(event, 4), 0xff])
  const flags =
    (isOut ? 0x80 : 0) |
    (components === 0 ? 0x40 : 0) |
    (durationMs === undefined ? 0 : 0x20) |
    (isImmediate ? 0x10 : 0) |
    0x0f
  const time = isImmediate ? [] : [0xfe, ...bytes(90_000, 4)]
  const places = Array.from({ length: components }, (_, tag) => [tag, ...time]).flat()
  return section(0x05, [
    ...bytes(event, 4),
    0x7f,
    flags,
    ...(components === 0 ? time : [components, ...places]),
    ...(durationMs === undefined ? [] : [0xfe, ...bytes(durationMs * 90, 4)]),
    0,
    1,
    0,
    0,
  ])
}

/** Returns a section with a `time_signal` and descriptors (section 9.7.4). */
export function timeSignal(...descriptors: number[][]): Uint8Array {
  return section(0x06, [0xfe, ...bytes(90_000, 4)], descriptors.flat())
}

interface SegmentationOptions {
  event: number
  type?: number
  isCancelled?: boolean
  durationMs?: number
  components?: number
  /** Length of its identifier. */
  upid?: number
}

/** Returns a segmentation descriptor (section 10.3.3). */
export function segmentation({
  event,
  type = 0,
  isCancelled = false,
  durationMs,
  components = 0,
  upid = 0,
}: SegmentationOptions): number[] {
  const flags = (components === 0 ? 0x80 : 0) | (durationMs === undefined ? 0 : 0x40) | 0x3f
  const places = Array.from({ length: components * 6 }, () => 0)
  const rest = isCancelled
    ? []
    : [
        flags,
        ...(components === 0 ? [] : [components, ...places]),
        ...(durationMs === undefined ? [] : [0, ...bytes(durationMs * 90, 4)]),
        0x09,
        upid,
        ...Array.from({ length: upid }, () => 0x41),
        type,
        1,
        1,
      ]
  const content = [0x43, 0x55, 0x45, 0x49, ...bytes(event, 4), isCancelled ? 0xff : 0x7f, ...rest]
  return [0x02, content.length, ...content]
}

function section(command: number, content: number[], descriptors: number[] = []): Uint8Array {
  const header = [0, 0, 0, 0, 0, 0, 0, 0xff, 0xf0 | (content.length >> 8), content.length & 255, command]
  const body = [...header, ...content, ...bytes(descriptors.length, 2), ...descriptors, 0, 0, 0, 0]
  return Uint8Array.from([0xfc, 0x30 | (body.length >> 8), body.length & 255, ...body])
}

function bytes(value: number, length: number): number[] {
  return Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256)
}
