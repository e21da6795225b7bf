import { COUNTRIES, listCountries } from '@ondine/contract/countries'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'

describe.each(MAIN_DB)('countries, on a database of kind %s', (kind) => {
  let service: TestService

  const inLanguage = async (languageId: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/proxy/listCountries',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ languageId }).toString(),
      })
    ).json()
  const serve = async (revision: number, countries: unknown) => {
    const { configurations, storefronts } = service.context
    const change = { path: 'accounts.countries', value: countries }
    await configurations.change(storefronts.first().id, revision, [change], { author: 'test', reason: '' })
  }

  beforeAll(async () => {
    service = await startTestService(kind)
  })
  afterAll(async () => await service.remove())

  it('A7.1-21 A3-34 are all countries of ISO 3166 in the language of the call, the served ones marked and first', async () => {
    const { result } = await service.call(listCountries, {})
    expect(result).toHaveLength(249)
    expect(new Set(result.map(({ code }) => code))).toEqual(new Set(COUNTRIES))
    expect(result.slice(0, 6).map(({ name, availabilityOrder }) => [name, availabilityOrder])).toEqual([
      ['France', true],
      ['Belgique', true],
      ['Suisse', true],
      ['Luxembourg', true],
      ['Monaco', true],
      ['Afghanistan', false],
    ])
    const others = result.slice(5).map(({ name }) => name)
    expect(others).toEqual(others.toSorted(new Intl.Collator('fr').compare))
    // Names with an accented first letter must not be sorted to the end.
    expect(others.indexOf('Égypte')).toBeLessThan(others.indexOf('Espagne'))
    const english = (await inLanguage('eng')).result
    expect(english.find(({ code }: { code: string }) => code === 'DE').name).toBe('Germany')
    expect(result.find(({ code }) => code === 'DE')?.name).toBe('Allemagne')
  })

  it('A3-34 follow a change of the configuration at once', async () => {
    await serve(0, ['CA', 'FR'])
    const { result } = await service.call(listCountries, {})
    expect(result.slice(0, 3).map(({ code }) => code)).toEqual(['CA', 'FR', 'AF'])
    await serve(1, [])
    expect(
      (await service.call(listCountries, {})).result.some(({ availabilityOrder }) => availabilityOrder),
    ).toBe(false)
  })

  it.each([
    [['XX'], 'accounts.countries.0'],
    [['fr'], 'accounts.countries.0'],
    [['FR', 'FR'], 'accounts.countries'],
    ['FR', 'accounts.countries'],
  ])('refuse %j and name its path', async (countries, field) => {
    await expect(serve(2, countries)).rejects.toMatchObject({ details: { fields: [{ field }] } })
  })

  it('refuse an unknown language', async () => {
    expect((await inLanguage('klingon')).error.details.fields[0].field).toBe('languageId')
  })
})
