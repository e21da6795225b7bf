import { contentData } from '@ondine/contract/catalogue'
import { assetScore, changeScoreAsset } from '@ondine/contract/scores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, deleteAsset } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { categories } from '../../inventory/titles/titles.table.ts'

describe.each(MAIN_DB)('scores, on a database of kind %s', (kind) => {
  let service: TestService
  let one: Actor
  let other: Actor
  let child: Actor
  let film: number
  let violent: number
  let series: number
  let plain: number

  beforeAll(async () => {
    service = await startTestService(kind)
    const build = buildersOf(service.context)
    one = await build.actor()
    other = await build.actor()
    child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    film = (await build.asset('La Houle')).id
    violent = (await build.asset('Front froid', { moralityLevel: 5 })).id
    series = (await build.series('Le Métier')).id
    const [row] = await service.context.db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'films', names: { fra: 'Films' } })
      .returning()
    plain = row!.id
  })
  afterAll(async () => await service.remove())

  it('V7-16 V7-17 a profile scores a film, changes its score and removes it; everyone sees the average', async () => {
    const give = async (score: number, { tokens }: Actor) =>
      (await service.call(changeScoreAsset, { idAsset: film, score }, tokens)).result
    const visitor = async () => (await service.call(assetScore, { idAsset: film })).result
    expect(await visitor()).toEqual({ score: null, average: null, count: 0 })
    expect(await give(4, one)).toEqual({ score: 4, average: 4, count: 1 })
    expect(await give(5, other)).toEqual({ score: 5, average: 4.5, count: 2 })
    expect(await give(2, one)).toEqual({ score: 2, average: 3.5, count: 2 })
    expect(await visitor()).toEqual({ score: null, average: 3.5, count: 2 })
    expect((await service.call(assetScore, { idAsset: film }, other.tokens)).result.score).toBe(5)
    expect(await give(0, one)).toEqual({ score: null, average: 5, count: 1 })
    expect(await give(0, one)).toEqual({ score: null, average: 5, count: 1 })
  })

  it('V7-16 V7-17 a series has a separate score, by idCategory', async () => {
    const given = await service.call(changeScoreAsset, { idCategory: series, score: 3 }, one.tokens)
    expect(given.result).toEqual({ score: 3, average: 3, count: 1 })
    expect((await service.call(assetScore, { idCategory: series }, one.tokens)).result.score).toBe(3)
    // An asset with the same id as the series is a different title.
    const content = await service.call(contentData, { idCategory: series })
    expect(content.result.content.type).toBe('category')
  })

  it('refuses a score from a visitor', async () => {
    const { status, error } = await service.call(changeScoreAsset, { idAsset: film, score: 3 })
    expect([status, error.code]).toEqual([401, -1])
  })

  it('lets a child neither score nor see the score of a title above its level', async () => {
    const read = await service.call(assetScore, { idAsset: violent }, child.tokens)
    expect([read.status, read.error.code]).toEqual([404, -404])
    const given = await service.call(changeScoreAsset, { idAsset: violent, score: 5 }, child.tokens)
    expect(given.status).toBe(404)
  })

  it('V8 names what is wrong: no id, both ids, unknown ids, ids of another kind', async () => {
    expect((await service.call(assetScore, {})).error.code).toBe(-3010)
    const both = await service.call(assetScore, { idAsset: film, idCategory: series })
    expect(both.error.details?.fields?.[0]?.field).toBe('idCategory')
    expect((await service.call(assetScore, { idAsset: 999_999 })).status).toBe(404)
    expect((await service.call(assetScore, { idCategory: plain })).status).toBe(404)
    for (const score of [-1, 6, 1.5, Number.NaN, 1e20]) {
      const { status, error } = await service.call(changeScoreAsset, { idAsset: film, score }, one.tokens)
      expect([status, error.details?.fields?.[0]?.field], String(score)).toEqual([400, 'score'])
    }
  })

  it('deletes the scores of a deleted title', async () => {
    const build = buildersOf(service.context)
    const { id } = await build.asset('Parti')
    await service.call(changeScoreAsset, { idAsset: id, score: 1 }, one.tokens)
    await deleteAsset(service.context.db, id)
    expect((await service.call(assetScore, { idAsset: id })).status).toBe(404)
  })
})
