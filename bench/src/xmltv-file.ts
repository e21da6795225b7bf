import { open } from 'node:fs/promises'
import { madeUpWord } from './made-up-words.ts'

/** Size of a guide file. */
export interface GuideSize {
  channels: number
  days: number
  /**
   * `usual`: three of ten programmes have a unique title, and the others share {@link SHOWS} titles. `distinct`:
   * every programme has a unique title.
   */
  titles: 'usual' | 'distinct'
}

const HALF_HOUR_MS = 1_800_000
const SHOWS = 20_000
const GENRES = [
  'Drame',
  'Comédie',
  'Information',
  'Documentaire',
  'Sport',
  'Animation',
  'Magazine',
  'Histoire',
]

/** Returns the XMLTV id of the channel with this number, counted from 0. */
export function xmltvId(channel: number): string {
  return `channel-${channel}.example`
}

/**
 * Writes an invented guide that resembles a provider's guide. Programmes last half an hour, have the usual fields,
 * and take about 600 bytes each. Two files with the same options differ only in their first day.
 * @returns the size of the file, in bytes
 */
export async function writeXmltv(
  path: string,
  { channels, days, titles }: GuideSize,
  from: number,
): Promise<number> {
  const file = await open(path, 'wx')
  try {
    const begin = Math.floor(from / HALF_HOUR_MS) * HALF_HOUR_MS
    await file.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>\n')
    for (let channel = 0; channel < channels; channel++)
      await file.write(
        `<channel id="${xmltvId(channel)}"><display-name>Chaîne ${channel}</display-name></channel>\n`,
      )
    for (let channel = 0; channel < channels; channel++) {
      let lines = ''
      for (let slot = 0; slot < days * 48; slot++)
        lines += programmeAt(channel, slot, begin, titles === 'distinct' || slot % 10 < 3)
      await file.write(lines)
    }
    await file.write('</tv>\n')
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

function programmeAt(channel: number, slot: number, begin: number, isSingle: boolean): string {
  // The large factors mix the shows as in a real guide, without random numbers.
  const show = (channel * 7907 + slot * 104_723) % SHOWS
  const episode = (slot % 24) + 1
  const title = isSingle ? `${words(show, 3)} ${channel}-${slot}` : words(show, 3)
  return `<programme start="${stamp(begin + slot * HALF_HOUR_MS)}" stop="${stamp(begin + (slot + 1) * HALF_HOUR_MS)}" channel="${xmltvId(channel)}">
<title lang="fr">${title}</title><sub-title lang="fr">${words(show + episode, 4)}</sub-title>
<desc lang="fr">${words(show * 3 + episode, 34)}.</desc>
<credits><director>${words(show + 11, 2)}</director><actor>${words(show + 17, 2)}</actor></credits>
<category lang="fr">${GENRES[show % GENRES.length]}</category><icon src="https://pictures.example/${show}.jpg"/>
<episode-num system="xmltv_ns">${show % 9}.${episode}.</episode-num><rating system="CSA"><value>-${show % 3 === 0 ? 12 : 10}</value></rating>
</programme>
`
}

function stamp(at: number): string {
  const text = new Date(at).toISOString()
  return `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 10)}${text.slice(11, 13)}${text.slice(14, 16)}00 +0000`
}

function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => madeUpWord(seed * 31 + index * 977, 3)).join(' ')
}
