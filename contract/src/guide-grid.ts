import type { Programme } from './entities.ts'
import type { PackedChannel, PackedGuide } from './packed-guide.ts'

/** The fields of a programme in a grid. Times are seconds since the Unix epoch. */
export type GridProgramme = Pick<
  Programme,
  'id' | 'id_channel' | 'title' | 'startutc' | 'endutc' | 'isNeedParentalCode'
>

/** Packs the programmes of channels. The programmes of each channel must be sorted by time. */
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
    const column: PackedChannel = {
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

/**
 * Returns the programmes of one channel of a packed guide, sorted by time. The list is empty if the guide lacks the
 * channel.
 */
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
