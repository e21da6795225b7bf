import type { Context } from '@ondine/server/context'
import { sql } from 'drizzle-orm'
import { generator } from './random.ts'

/** Size of a large guide. */
export interface GuideSize {
  channels: number
  /** Number of days before and after today. `midnight` is the beginning of today. */
  pastDays: number
  futureDays: number
  /** Beginning of today, in milliseconds since the Unix epoch. */
  midnight: number
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const CHANNELS_AT_ONCE = 25
const GROUPS = [
  'Cinéma',
  'Information',
  'Jeunesse',
  'Sport',
  'Musique',
  'Documentaires',
  'Régions',
  'Généralistes',
]
/** Lengths of programmes in minutes, distributed as on real channels. */
const LENGTHS = [5, 10, 20, 25, 25, 30, 30, 30, 40, 45, 50, 55, 60, 60, 90, 95, 110, 120]
const STARTS = [
  'Le Journal',
  'La Grande Soirée',
  'Les Chemins',
  'Une nuit',
  'Le Retour',
  'Histoires',
  'L’Atelier',
  'Les Gens',
  'Portraits',
  'Carnets',
  'La Fabrique',
  'Terres',
  'Vents',
  'Le Temps',
  'Questions',
  'Rendez-vous',
]
const ENDS = [
  'du large',
  'de l’aube',
  'des îles',
  'de la ville basse',
  'sous la neige',
  'au village',
  'de midi',
  'du soir',
  'des sables',
  'en musique',
  'de la côte',
  'sans fin',
  'des voisins',
  'du monde',
  'de la rivière',
  'd’hiver',
]
const NAMES = ['Rive', 'Terra', 'Onde', 'Petit', 'Ciné', 'Phare', 'Cap', 'Lune', 'Delta', 'Nord']

/**
 * Fills a guide with channels. Each channel has programmes of different lengths without gaps. Most titles of a
 * channel occur only on this channel, the others also on other channels. Each call creates the same data.
 */
export async function fillLargeGuide({ db }: Pick<Context, 'db'>, size: GuideSize): Promise<void> {
  const random = generator(20_26)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const title = () =>
    `${pick(STARTS)} ${pick(ENDS)}${random() < 0.5 ? ` ${1 + Math.floor(random() * 60)}` : ''}`
  const everywhere = Array.from({ length: 300 }, title)
  for (let from = 1; from <= size.channels; from += CHANNELS_AT_ONCE) {
    const count = Math.min(CHANNELS_AT_ONCE, size.channels - from + 1)
    const rows = Array.from({ length: count }, (_, index) => {
      const number = from + index + 100
      const own = Array.from({ length: 24 }, title)
      const programmes: [at: string, until: string, title: string, about: string, genre: string][] = []
      const end = size.midnight + size.futureDays * DAY_MS
      let at = size.midnight - size.pastDays * DAY_MS - Math.floor(random() * 12) * 5 * MINUTE_MS
      while (at < end) {
        const until = at + pick(LENGTHS) * MINUTE_MS
        const shown = random() < 0.7 ? pick(own) : random() < 0.6 ? pick(everywhere) : title()
        programmes.push([
          new Date(at).toISOString(),
          new Date(until).toISOString(),
          shown,
          `${shown} : ${title()}, ${title()} et ${title()}. Avec ${title()}.`,
          pick(GROUPS),
        ])
        at = until
      }
      return {
        number,
        name: `${pick(NAMES)} ${number}`,
        group: pick(GROUPS),
        color: `#${Math.floor(random() * 0x7f7f7f + 0x202020)
          .toString(16)
          .padStart(6, '0')}`,
        programmes,
      }
    })
    await db.execute(sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as given (number int, name text, "group" text, color text, programmes jsonb)
      ),
      made as (
        insert into channels (kind, number, source_key, names, main_genre, color, free)
        select 'live', number, 'large-guide ' || number, jsonb_build_object('fra', name), "group", color, number % 3 = 0
        from given returning id, number
      )
      insert into programmes (channel_id, universal_id, starts_at, ends_at, titles, descriptions, genres, morality_level)
      select made.id, made.number || '-' || place, (p ->> 0)::timestamptz, (p ->> 1)::timestamptz,
        jsonb_build_object('fra', p ->> 2), jsonb_build_object('fra', p ->> 3), array[p ->> 4], 0
      from made join given using (number), jsonb_array_elements(programmes) with ordinality as each (p, place)`)
  }
  await db.execute(sql`analyze programmes`)
}
