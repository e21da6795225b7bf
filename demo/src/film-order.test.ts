import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { CHANNELS } from './channels.ts'
import { FIRST, rankOf } from './film-order.ts'

/** Tasks for all films, episodes and trailers, in the order of the catalogue. */
const TASKS = CATALOGUE.flatMap((title) => [
  ...(title.kind === 'film'
    ? [{ kind: 'film', titleId: title.id }]
    : title.episodes.map((_, episode) => ({ kind: 'episode', titleId: title.id, episode }))),
  { kind: 'trailer', titleId: title.id },
])
const ordered = TASKS.toSorted((one, other) => rankOf(one) - rankOf(other))

describe('the order in which films are made', () => {
  it('begins with a film and an episode', () => {
    expect(ordered.slice(0, 2).map(({ kind }) => kind)).toEqual(['film', 'episode'])
  })

  it.each(CHANNELS.map(({ name, rules }) => [name, rules] as const))(
    'has a title for %s among the first films',
    (_name, { blocks }) => {
      const first = new Set(ordered.slice(0, FIRST.length).map(({ titleId }) => titleId))
      const made = CATALOGUE.filter(({ id }) => first.has(id)).map(({ title }) => title)
      expect(blocks.flatMap(({ titles }) => titles).filter((title) => made.includes(title))).not.toEqual([])
    },
  )

  it('leaves trailers to the end', () => {
    const kinds = ordered.map(({ kind }) => kind)
    expect(kinds.slice(kinds.indexOf('trailer')).every((kind) => kind === 'trailer')).toBe(true)
  })
})
