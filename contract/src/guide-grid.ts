import * as z from 'zod'
import type { Programme } from './entities.ts'

/** What a grid shows of a programme. Times are seconds since the Unix epoch. */
export type GridProgramme = Pick<
  Programme,
  'id' | 'id_channel' | 'title' | 'startutc' | 'endutc' | 'isNeedParentalCode'
>

const count = z.int().min(0)

/**
 * One channel of a packed guide: a column for each field, so that it takes a few bytes for a programme. Programmes
 * follow each other without a hole unless `holes` says so.
 */
const packedChannel = z.object({
  /** When the first programme begins, in seconds since the Unix epoch. */
  start: z.int(),
  /** The first identifier, then for each programme what is to be added to the one before. */
  ids: z.array(z.int()),
  /** How long each programme lasts, in seconds. */
  lengths: z.array(count),
  /** Each title, by its place in the list of titles. */
  titles: z.array(count),
  /** Before which programme nothing is known for how many seconds; less than none where two overlap. */
  holes: z.array(z.tuple([count, z.int()])),
  /** Which programmes need the parental code. */
  coded: z.array(count),
})

/** A guide as it travels to a grid: each title once, and the channels by their names, `chan_{idChannel}` (V3-26). */
export const packedGuide = z.object({
  titles: z.array(z.string()),
  channels: z.record(z.templateLiteral(['chan_', z.number()]), packedChannel),
})
export type PackedGuide = z.infer<typeof packedGuide>

/** Packs the programmes of channels, each channel's in order of time. */
export function packGuide(channels: Iterable<readonly [number, readonly GridProgramme[]]>): PackedGuide {
  const titles = new Map<string, number>()
  const placeOf = (title: string) => {
    const known = titles.get(title)
    if (known !== undefined) return known
    titles.set(title, titles.size)
    return titles.size - 1
  }
  const packed: PackedGuide['channels'] = {}
  for (const [idChannel, programmes] of channels) {
    const [first] = programmes
    if (first === undefined) continue
    const column: z.infer<typeof packedChannel> = {
      start: first.startutc,
      ids: [],
      lengths: [],
      titles: [],
      holes: [],
      coded: [],
    }
    let id = 0
    let end = first.startutc
    for (const [index, programme] of programmes.entries()) {
      if (programme.startutc !== end) column.holes.push([index, programme.startutc - end])
      if (programme.isNeedParentalCode) column.coded.push(index)
      column.ids.push(programme.id - id)
      column.lengths.push(programme.endutc - programme.startutc)
      column.titles.push(placeOf(programme.title))
      id = programme.id
      end = programme.endutc
    }
    packed[`chan_${idChannel}`] = column
  }
  return { titles: [...titles.keys()], channels: packed }
}

/** The programmes of one channel of a packed guide, in order of time; none when it has none. */
export function unpackChannel({ titles, channels }: PackedGuide, idChannel: number): GridProgramme[] {
  const column = channels[`chan_${idChannel}`]
  if (column === undefined) return []
  const holes = new Map(column.holes)
  const coded = new Set(column.coded)
  let id = 0
  let end = column.start
  return column.ids.map((step, index) => {
    id += step
    const startutc = end + (holes.get(index) ?? 0)
    end = startutc + (column.lengths[index] ?? 0)
    return {
      id,
      id_channel: idChannel,
      title: titles[column.titles[index] ?? 0] ?? '',
      startutc,
      endutc: end,
      isNeedParentalCode: coded.has(index),
    }
  })
}
