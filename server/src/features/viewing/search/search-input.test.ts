import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'

describe.each(MAIN_DB)('search input, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    const build = buildersOf(service.context)
    for (const title of ['La Houle', 'مرحبا بالعالم']) await build.asset(title)
  })
  afterAll(async () => await service.remove())

  const ask = async (fields: Record<string, string>) =>
    await service.app.inject(`/cms/search?${new URLSearchParams(fields)}`)

  it.each([
    ['operators', `houle & !phare | 'x':* <-> (`],
    ['quotes and backslashes', `'; drop table assets; -- \\' " \\`],
    ['an emoji', '🌊'],
    ['right-to-left text', 'مرحبا بالعالم'],
    ['marks that turn the line round', '\u202Ehoule\u202C'],
    ['wildcards', '%_%'],
    ['blanks', '   '],
    ['nothing', ''],
    ['two hundred letters', 'h'.repeat(200)],
    ['a hundred words', 'a '.repeat(100)],
    ['letters that expand to many', '㍿'.repeat(200)],
    ['accents on nothing', '\u0301'.repeat(200)],
    ['letters that join into one', '👩‍👩‍👧‍👦'.repeat(18)],
    ['a pattern', String.raw`(a+)+$[^]{9}\b.*?`],
    ['a script', '<script>alert(1)</script>'],
  ])('treats %s as words', async (_what, term) => {
    const answer = await ask({ term })
    expect(answer.statusCode).toBe(200)
    expect(Array.isArray(answer.json().result.items)).toBe(true)
  })

  it('finds titles in other scripts', async () => {
    const { result } = (await ask({ term: 'مرحبا' })).json()
    expect(result.items).toHaveLength(1)
    expect(result.items[0].item.payload.title).toBe('مرحبا بالعالم')
  })

  it.each([
    ['term', {}],
    ['term', { term: 'x'.repeat(10_000) }],
    ['term', { term: 'a\u0000b' }],
    ['type', { term: 'x', type: 'everything' }],
    ['searchBy', { term: 'x', searchBy: 'password_hash' }],
    ['count', { term: 'x', count: '201' }],
    ['count', { term: 'x', count: '0' }],
    ['page', { term: 'x', page: '0' }],
    ['page', { term: 'x', page: '-1' }],
    ['page', { term: 'x', page: '1e9' }],
    ['filter', { filter: '{' }],
    ['filter', { filter: '{}' }],
    ['filter', { filter: '[]' }],
    ['filter', { filter: '{"passwordHash":"x"}' }],
    ['filter.AD_LIACTORS', { filter: '{"AD_LIACTORS":["x"]}' }],
    ['filter', { filter: '{"TAGS":"a\\u0000b"}' }],
    ['filter.AD_LIACTORS', { filter: '{"AD_LIACTORS":" "}' }],
    ['itemsPerPage', { filter: '{"AD_LIACTORS":"x"}', itemsPerPage: '1000' }],
    ['languageId', { term: 'x', languageId: 'klingon' }],
  ])('refuses invalid input with the field: %s', async (field, fields) => {
    const answer = await ask(fields)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details.fields[0].field).toBe(field)
  })
})
