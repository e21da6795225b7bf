import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChannelRules, onde4, petit, rive, terra } from './channel-blocks.ts'
import type { LocalisedText } from './title.ts'
import { writeWhole } from './whole-file.ts'

/** A channel of the demonstration. */
export interface DemoChannel {
  readonly number: number
  readonly name: string
  /** Name of the logo's file in the folder of `channels.json`. */
  readonly logo: string
  readonly description: LocalisedText
  readonly colours: { readonly background: string; readonly foreground: string }
  readonly rules: ChannelRules
}

/** The four channels. */
export const CHANNELS: readonly DemoChannel[] = [
  {
    number: 1,
    name: 'Rive',
    logo: 'rive.svg',
    description: {
      fra: 'Le cinéma à toute heure : des films qui prennent leur temps.',
      eng: 'Cinema at any hour: films that take their time.',
    },
    colours: { background: '#0f3556', foreground: '#8fe9d6' },
    rules: rive,
  },
  {
    number: 2,
    name: 'Terra',
    logo: 'terra.svg',
    description: {
      fra: 'Le monde vivant, du récif aux aurores, sans commentaire de trop.',
      eng: 'The living world, from the reef to the aurora, with not a word too many.',
    },
    colours: { background: '#0b3d33', foreground: '#bfe7a5' },
    rules: terra,
  },
  {
    number: 3,
    name: 'Onde 4',
    logo: 'onde-4.svg',
    description: {
      fra: 'Musiques, lignes et nuits électroniques. Le jour, cap sur l’espace.',
      eng: 'Music, lines and electronic nights. By day, outer space.',
    },
    colours: { background: '#1a1036', foreground: '#ff6b6b' },
    rules: onde4,
  },
  {
    number: 4,
    name: 'Petit',
    logo: 'petit.svg',
    description: {
      fra: 'Des histoires pour les petits, et pour ceux qui regardent avec eux.',
      eng: 'Stories for little ones, and for those who watch with them.',
    },
    colours: { background: '#f9c74f', foreground: '#23324a' },
    rules: petit,
  },
]

const LOGOS: Readonly<Record<string, string>> = {
  'rive.svg': svg(
    '#0f3556',
    `<path d="M40 150q30-34 60 0t60 0 60 0" fill="none" stroke="#8fe9d6" stroke-width="18" stroke-linecap="round"/>
  <path d="M40 198q30-34 60 0t60 0 60 0" fill="none" stroke="#8fe9d6" stroke-opacity=".45" stroke-width="18" stroke-linecap="round"/>
  <circle cx="166" cy="84" r="34" fill="#ffdca0"/>`,
  ),
  'terra.svg': svg(
    '#0b3d33',
    `<path d="M128 214V116" fill="none" stroke="#bfe7a5" stroke-width="16" stroke-linecap="round"/>
  <path d="M128 150c-52 4-78-22-82-72 50-2 80 22 82 72z" fill="#7fc98f"/>
  <path d="M128 122c-2-46 24-76 82-80 2 54-30 82-82 80z" fill="#bfe7a5"/>`,
  ),
  'onde-4.svg': svg(
    '#1a1036',
    `<g fill="none" stroke-width="12"><g stroke="#ff6b6b"><circle cx="106" cy="128" r="22"/><circle cx="106" cy="128" r="48"/><circle cx="106" cy="128" r="74"/></g>
  <g stroke="#4ecdc4" stroke-opacity=".85"><circle cx="150" cy="128" r="22"/><circle cx="150" cy="128" r="48"/><circle cx="150" cy="128" r="74"/></g></g>`,
  ),
  'petit.svg': svg(
    '#f9c74f',
    `<circle cx="96" cy="104" r="50" fill="#f94144"/>
  <path d="M110 206a52 52 0 0 1 104 0z" fill="#43aa8b"/>
  <rect x="46" y="166" width="56" height="40" rx="4" fill="#577590" transform="rotate(-8 74 186)"/>
  <circle cx="82" cy="96" r="7" fill="#fff7e8"/><circle cx="110" cy="96" r="7" fill="#fff7e8"/>
  <path d="M78 118q18 18 36 0" fill="none" stroke="#fff7e8" stroke-width="7" stroke-linecap="round"/>`,
  ),
}

/** Folder of the channels in the library. */
export const CHANNELS_FOLDER = 'Channels'

/**
 * Writes `Channels/channels.json` and the logos, for a library with these titles. Replaces each file atomically.
 */
export async function writeChannels(library: string, titles: readonly string[]): Promise<void> {
  const folder = join(library, CHANNELS_FOLDER)
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(LOGOS)) await writeWhole(join(folder, name), text)
  const channels = CHANNELS.map((channel) => ({ ...channel, rules: rulesFor(channel.rules, titles) }))
  await writeWhole(join(folder, 'channels.json'), `${JSON.stringify({ channels }, null, 2)}\n`)
}

/**
 * Removes titles from a channel's schedule that the library does not have, because a channel that waits for a
 * title is scheduled only a few minutes ahead. If the library has none of the channel's titles, returns the
 * schedule unchanged, and the channel stays off the air.
 */
function rulesFor(rules: ChannelRules, titles: readonly string[]): ChannelRules {
  const there = (names: readonly string[]) => names.filter((name) => titles.includes(name))
  const blocks = rules.blocks
    .map((block) => ({ ...block, titles: there(block.titles) }))
    .filter((block) => block.titles.length > 0)
  if (blocks.length === 0) return rules
  const names = new Set(blocks.map(({ id }) => `block:${id}`))
  const dayparts = rules.dayparts.filter((part) => part.titles.some((name) => names.has(name)))
  return { ...rules, blocks, dayparts, filler: there(rules.filler) }
}

/** Returns a logo as SVG: `content` on a rounded square of 256 by 256. */
export function svg(background: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">\n  <rect width="256" height="256" rx="56" fill="${background}"/>\n  ${content}\n</svg>\n`
}
