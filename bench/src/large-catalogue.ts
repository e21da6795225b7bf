import type { Context } from '@ondine/server/context'
import { sql } from 'drizzle-orm'
import { madeUpWord } from './made-up-words.ts'
import { generator } from './random.ts'

/** Size of a large installation. */
export interface Size {
  titles: number
  channels: number
  programmes: number
}

/** Search terms: words from titles, and the same words misspelt. */
export interface Terms {
  exact: string[]
  misspelt: string[]
}

const BATCH = 2000
const ENDINGS = ['', 'e', 'al', 'in', 'our', 'et', 'is', 'on']
const GENRES = [
  'Drame',
  'Comédie',
  'Aventure',
  'Documentaire',
  'Policier',
  'Animation',
  'Science-fiction',
  'Histoire',
]
const WORDS = 9000
const PEOPLE = 12_000
const TERMS = 150
const HALF_HOUR_MS = 1_800_000

/**
 * Fills an installation with invented titles, and with a guide in which half of the programmes are titles of the
 * catalogue. As in real titles, a few words are very common. Each call creates the same data.
 */
export async function fillLargeCatalogue({ db }: Context, size: Size): Promise<Terms> {
  const random = generator(4406)
  const pick = (count: number) => Math.floor(random() * count)
  // Squaring makes a few words common and most words rare.
  const word = () => wordOf(Math.floor(random() ** 2 * WORDS))
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const person = () => {
    const number = pick(PEOPLE)
    return `${capital(wordOf(number % 700))} ${capital(wordOf(1000 + number))}`
  }
  const titles: string[] = []
  const people: string[] = []
  for (let from = 0; from < size.titles; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, size.titles - from) }, (_, index) => {
      const title = capital(words(1 + pick(4)))
      const actors = [person(), person(), person()]
      titles.push(title)
      people.push(...actors)
      return {
        source_key: `large ${from + index}`,
        titles: { fra: title, eng: capital(words(2)) },
        descriptions: { fra: words(30), eng: words(30) },
        year: 1960 + pick(66),
        score: pick(50) / 10,
        genres: [GENRES[pick(GENRES.length)]],
        directors: [person()],
        actors,
      }
    })
    await db.execute(sql`
      insert into assets (kind, source_key, titles, descriptions, year, score, genres, directors, actors, availability,
        duration_seconds, valid_from)
      select 'film', source_key, titles, descriptions, year, score, genres, directors, actors, 'ready', 5400, '2020-01-01'
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
        source_key text, titles jsonb, descriptions jsonb, year int, score real, genres text[], directors text[], actors text[]
      )`)
  }
  const shows = Array.from({ length: 20_000 }, () => capital(words(2 + pick(3))))
  await db.execute(sql`
    insert into channels (number, source_key, names, rules)
    select 1000 + n, 'large ' || n, jsonb_build_object('fra', 'Chaîne ' || n), (select rules from channels limit 1)
    from generate_series(1, ${size.channels}::int) as n`)
  const start = new Date(Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS - 3 * 86_400_000).toISOString()
  await db.execute(sql`
    with ids as materialized (select array_agg(id) as all from assets where source_key like 'large %'),
      shows as materialized (select array_agg(value) as all from jsonb_array_elements_text(${JSON.stringify(shows)}::jsonb))
    insert into programmes (channel_id, universal_id, starts_at, ends_at, asset_id, titles)
    select c.id, c.id || '-' || p, at, at + interval '30 minutes',
      case when p % 2 = 0 then ids.all[1 + (c.id * 7919 + p * 104729) % cardinality(ids.all)] end,
      jsonb_build_object('fra', shows.all[1 + (c.id * 7907 + p * 104723) % cardinality(shows.all)])
    from channels c, ids, shows, generate_series(0, ${Math.floor(size.programmes / size.channels) - 1}::int) as p,
      lateral (select ${start}::timestamptz + p * interval '30 minutes' as at) as times
    where c.source_key like 'large %'`)
  for (const table of ['assets', 'programmes', 'search_documents', 'search_words']) {
    await db.execute(sql.raw(`analyze ${table}`))
  }
  const exact = Array.from({ length: TERMS }, (_, index) => {
    const title = titles[pick(titles.length)] ?? ''
    const kinds = [
      title,
      title.split(' ')[0],
      people[pick(people.length)],
      shows[pick(shows.length)],
      title.slice(0, 4),
    ]
    return (kinds[index % kinds.length] ?? title).slice(0, 40)
  })
  const misspelt = exact.map((term) => slip(term, pick))
  return { exact: [...exact, ...GENRES], misspelt }
}

/** Returns a misspelt term: swaps or removes a letter in the middle of the longest word. */
function slip(term: string, pick: (count: number) => number): string {
  const longest = term.split(' ').reduce((best, one) => (one.length > best.length ? one : best), '')
  const at = 1 + pick(Math.max(1, longest.length - 3))
  const wrong =
    pick(2) === 0
      ? longest.slice(0, at) + longest.slice(at + 1)
      : longest.slice(0, at) + (longest[at + 1] ?? '') + (longest[at] ?? '') + longest.slice(at + 2)
  return term.replace(longest, wrong)
}

function wordOf(index: number): string {
  return madeUpWord(index, index > 255 ? 3 : 2) + (ENDINGS[Math.floor(index / 4096) % ENDINGS.length] ?? '')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
