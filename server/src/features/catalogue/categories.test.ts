import type { Category } from '@ondine/contract/entities'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../test/commands.ts'
import { DATABASES, startTestService, type TestService } from '../../../test/service.ts'
import { ensureCategory } from '../library/catalogue-entries.ts'
import { categories } from './catalogue.table.ts'

/** A key, what is said of it, and why that cannot be. */
const REFUSED: [string, Record<string, string | boolean>, string][] = [
  ['films', { under: 'nothing' }, 'There is no category nothing.'],
  ['films', { under: 'series:Le Métier' }, 'There is no category series:Le Métier.'],
  ['series:Le Métier', { under: 'films' }, 'its import says where it stands'],
  ['ring', { under: 'ring', name: 'Anneau' }, 'There is no category ring.'],
  ['outer', { under: 'outer' }, 'outer stands in outer itself, or is it.'],
  ['outer', { under: 'inner' }, 'inner stands in outer itself, or is it.'],
  ['fresh', {}, 'A new one needs a name.'],
  ['films', {}, 'Say what is to change.'],
  ['a b', { name: 'Espace' }, 'A key has'],
  ['films', { name: ' ' }, '--name is empty.'],
  ['films', { name: 'Films', language: 'klingon' }, '--language'],
  ['films', { position: '-1' }, '--position'],
  ['films', { top: true, under: 'moods' }, 'contradict'],
]

describe.each(DATABASES)('the tree of categories, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    await service.context.db.insert(categories).values([
      { kind: 'category', sourceKey: 'films', names: { fra: 'Films', eng: 'Films' } },
      { kind: 'category', sourceKey: 'genre:Drame', names: { fra: 'Drame', eng: 'Drama' }, position: 10 },
      { kind: 'series', sourceKey: 'series:Le Métier', names: { fra: 'Le Métier' }, position: 20 },
    ])
  })
  afterAll(async () => await service.remove())

  const put = async (key: string, options: Record<string, string | boolean>) =>
    await runCommand(service, 'categories put', [key], options)

  /** The tree as viewers get it: names, those within one after it in brackets. */
  async function tree(language: string): Promise<string> {
    const drawn = (rows: readonly Category[]): string =>
      rows
        .map(({ name, categories: within }) => (within.length > 0 ? `${name}(${drawn(within)})` : name))
        .join(' ')
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/hierarchy',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ languageId: language }).toString(),
    })
    return drawn(answer.json<{ result: Category[] }>().result)
  }

  it('V7-04 an operator makes one, puts others into it and orders them; imports leave them there', async () => {
    await put('moods', { name: 'Humeurs', position: '5' })
    await put('moods', { name: 'Moods', language: 'eng' })
    await put('tender', { name: 'Tendre', under: 'moods', position: '11' })
    await put('genre:Drame', { under: 'moods' })
    expect(await tree('fra')).toBe('Films Humeurs(Drame Tendre) Le Métier')
    expect(await tree('eng')).toBe('Films Moods(Drama Tendre) Le Métier')
    expect(await runCommand(service, 'categories list')).toContain(
      '  genre:Drame (eng: Drama, fra: Drame; 10)',
    )

    await put('genre:Drame', { position: '12', name: 'Drames' })
    await service.context.db.transaction(
      async (tx) => await ensureCategory(tx, 'genre:Drame', { fra: 'Drame' }, 10),
    )
    expect(await tree('fra')).toBe('Films Humeurs(Tendre Drames) Le Métier')

    await put('genre:Drame', { top: true })
    expect(await tree('fra')).toBe('Films Humeurs(Tendre) Drames Le Métier')
  })

  it.each(REFUSED)('refuses to put %s with %o', async (key, options, reason) => {
    await put('outer', { name: 'Dehors' })
    await put('inner', { name: 'Dedans', under: 'outer' })
    const before = await tree('fra')
    await expect(put(key, options)).rejects.toThrow(reason)
    expect(await tree('fra')).toBe(before)
  })

  it('removes what is empty and made by nobody else', async () => {
    const remove = async (key: string) => await runCommand(service, 'categories remove', [key])
    await put('shelf', { name: 'Étagère' })
    await put('box', { name: 'Boîte', under: 'shelf' })
    await expect(remove('shelf')).rejects.toThrow('Something stands in shelf.')
    await remove('box')
    await remove('shelf')
    expect(await tree('fra')).not.toContain('Étagère')
    await expect(remove('shelf')).rejects.toThrow('There is no category shelf.')
    await expect(remove('films')).rejects.toThrow('films comes from an import.')
    await expect(remove('series:Le Métier')).rejects.toThrow('comes from an import.')
  })
})
