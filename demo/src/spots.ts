import { join } from 'node:path'
import { writeWhole } from './whole-file.ts'

/** Folder of the advertisements in the library. An import ignores this folder. */
export const SPOTS_FOLDER = 'Spots'

/** File in the folder of advertisements. It defines the breaks of all films (VMAP 1.0). */
export const BREAKS_FILE = 'breaks.xml'

/** Length of each advertisement, in seconds. */
const SPOT_SECONDS = 10

/**
 * Returns the length of an advertisement in seconds. If `secondsPerFilm` shortens the films, advertisements are
 * shorter too.
 */
export function spotSeconds(secondsPerFilm: number | null): number {
  return secondsPerFilm === null ? SPOT_SECONDS : Math.min(SPOT_SECONDS, Math.floor(secondsPerFilm / 6))
}

/** An advertisement for an invented brand. Its words need no translation. */
export interface Spot {
  readonly file: string
  readonly brand: string
  readonly line: string
  /** The title whose drawings the advertisement shows. */
  readonly titleId: string
  /** Fraction of the title's duration at which the advertisement begins. */
  readonly from: number
  readonly colour: string
  /** Number of the advertisement in the frame strip. */
  readonly number: number
}

/** The three advertisements. */
export const SPOTS: readonly Spot[] = [
  {
    file: 'solstice.mp4',
    brand: 'Solstice',
    line: 'Café · Paris',
    titleId: 'ciels-du-nord',
    from: 0.45,
    colour: '#f6efe2',
    number: 61,
  },
  {
    file: 'corbeau.mp4',
    brand: 'Corbeau',
    line: 'Cycles · Lyon',
    titleId: 'ville-basse',
    from: 0.5,
    colour: '#ffd166',
    number: 62,
  },
  {
    file: 'mirage.mp4',
    brand: 'Mirage',
    line: 'Eau de parfum',
    titleId: 'sables',
    from: 0.4,
    colour: '#fff4e6',
    number: 63,
  },
]

/**
 * Writes the document of the breaks: one advertisement before each film, and two at its third chapter.
 *
 * @param folder the library's folder
 * @param path path of that folder in the library of the service
 */
export async function writeBreaks(folder: string, path: string, seconds: number): Promise<void> {
  const [first, ...others] = SPOTS
  const breaks = [
    { offset: 'start', spots: first ? [first] : [] },
    { offset: '#3', spots: others },
  ]
  const text = breaks
    .map(
      ({ offset, spots }) =>
        `  <vmap:AdBreak timeOffset="${offset}" breakType="linear"><vmap:AdSource><vmap:VASTAdData><VAST version="4.2">\n${spots.map((spot, index) => inline(spot, index + 1, path, seconds)).join('')}  </VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>\n`,
    )
    .join('')
  await writeWhole(
    join(folder, SPOTS_FOLDER, BREAKS_FILE),
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">\n${text}</vmap:VMAP>\n`,
  )
}

function inline({ file, brand }: Spot, sequence: number, path: string, seconds: number): string {
  return `    <Ad id="${brand}" sequence="${sequence}"><InLine><AdSystem>Ondine</AdSystem><AdTitle>${brand}</AdTitle><Creatives><Creative><Linear skipoffset="00:00:05"><Duration>00:00:${String(seconds).padStart(2, '0')}</Duration><VideoClicks><ClickThrough>https://example.com/${brand.toLowerCase()}</ClickThrough></VideoClicks><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1280" height="720">library:${path}/${SPOTS_FOLDER}/${file}</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>\n`
}
