import { readFile } from 'node:fs/promises'
import type { Configuration } from '@ondine/contract/configuration'
import {
  changeConfiguration,
  configurationHistory,
  diffConfiguration,
  replaceConfiguration,
  restoreConfiguration,
  undoConfiguration,
} from '@ondine/contract/configuration-calls'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'

/** Migration that marks the revisions that undos made. */
const MIGRATION = new URL('../../../../migrations/0069_undone-revisions.sql', import.meta.url)

describe.each(MAIN_DB)('the history of a configuration, on a database of kind %s', (kind) => {
  let service: TestService
  let operator: Tokens
  let tokens: Tokens
  let apiKey = ''
  let storefronts = 0

  beforeAll(async () => {
    service = await startTestService(kind)
    operator = (await buildersOf(service.context).operator('Dominique')).tokens
  })
  afterAll(async () => await service.remove())
  // Each test uses a separate storefront.
  beforeEach(async () => {
    apiKey = `front-${++storefronts}`
    await service.context.storefronts.create({ apiKey, name: 'Rive' })
    tokens = { ...operator, 'x-identity-key': apiKey }
  })

  const current = async () =>
    (await service.app.inject(`/configuration/${apiKey}/data/configuration.json`)).json<Configuration>()
  const change = async (changes: { path: string; value?: unknown }[], revision = 0, reason = '') =>
    await service.call(changeConfiguration, { revision, changes, reason }, tokens)

  it('refuses the second of two operators who change the same revision, and keeps the first one’s change', async () => {
    await change([{ path: 'search.count', value: 10 }])
    const answers = await Promise.all([
      change([{ path: 'search.recent', value: 1 }], 1),
      change([{ path: 'search.suggestions', value: 1 }], 1),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.error.code).toBe(-409)
    const { recent, suggestions, count } = (await current()).search
    expect([count, [recent, suggestions].filter((value) => value === 1).length]).toEqual([10, 1])
    expect((await change([{ path: 'search.count', value: 11 }], 0)).status).toBe(409)
    expect((await change([{ path: 'search.count', value: 11 }], 9)).status).toBe(404)
  })

  it('records who changed what, when and why', async () => {
    service.clock.set(NOON)
    await change([{ path: 'search.count', value: 10 }], 0, 'Fewer results')
    service.clock.advance(60_000)
    await change([{ path: 'search.count', value: 11 }], 1)
    const { result } = await service.call(configurationHistory, {} as never, tokens)
    expect(result).toEqual([
      {
        revision: 2,
        author: 'Dominique',
        reason: '',
        madeAt: NOON / 1000 + 60,
        restores: null,
        differences: [{ path: 'search.count', from: 10, to: 11 }],
      },
      {
        revision: 1,
        author: 'Dominique',
        reason: 'Fewer results',
        madeAt: NOON / 1000,
        restores: null,
        differences: [{ path: 'search.count', to: 10 }],
      },
    ])
    const page = await service.call(configurationHistory, { before: 2, count: 1 }, tokens)
    expect(page.result.map(({ revision }) => revision)).toEqual([1])
    const diff = await service.call(diffConfiguration, { from: 1, to: 2 }, tokens)
    expect(diff.result).toEqual([{ path: 'search.count', from: 10, to: 11 }])
  })

  it('undoes changes one after the other, and restores any revision', async () => {
    for (const [revision, value] of [10, 20, 30].entries())
      await change([{ path: 'search.count', value }], revision)
    const counts: number[] = []
    for (const revision of [3, 4, 5]) {
      await service.call(undoConfiguration, { revision, reason: '' }, tokens)
      counts.push((await current()).search.count)
    }
    expect(counts).toEqual([20, 10, 50])
    const nothingLeft = await service.call(undoConfiguration, { revision: 6, reason: '' }, tokens)
    expect(nothingLeft.status).toBe(400)

    const { result } = await service.call(restoreConfiguration, { revision: 6, to: 3, reason: '' }, tokens)
    expect([result.revision, (await current()).search.count]).toEqual([7, 30])
    const unknown = await service.call(restoreConfiguration, { revision: 7, to: 99, reason: '' }, tokens)
    expect(unknown.status).toBe(404)
  })

  it.each([0, 1, 2, 3])(
    'undoes a restore of revision %i, and then the changes before the restore',
    async (to) => {
      for (const [revision, value] of [10, 20, 30].entries())
        await change([{ path: 'search.count', value }], revision)
      await service.call(restoreConfiguration, { revision: 3, to, reason: '' }, tokens)
      const counts: number[] = []
      for (const revision of [4, 5, 6]) {
        await service.call(undoConfiguration, { revision, reason: '' }, tokens)
        counts.push((await current()).search.count)
      }
      expect(counts).toEqual([30, 20, 10])
    },
  )

  it('undoes a change that follows an undo, and then the changes before both', async () => {
    for (const [revision, value] of [10, 20, 30].entries())
      await change([{ path: 'search.count', value }], revision)
    await service.call(undoConfiguration, { revision: 3, reason: '' }, tokens)
    await change([{ path: 'search.count', value: 40 }], 4)
    const counts: number[] = []
    for (const revision of [5, 6, 7]) {
      await service.call(undoConfiguration, { revision, reason: '' }, tokens)
      counts.push((await current()).search.count)
    }
    expect(counts).toEqual([20, 10, 50])
    expect(
      (await service.call(configurationHistory, {} as never, tokens)).result.map(({ restores }) => restores),
    ).toEqual([0, 1, 2, null, 2, null, null, null])
  })

  it('continues undos of an installation whose revisions did not say that an undo made them', async () => {
    for (const [revision, value] of [10, 20, 30, 40].entries())
      await change([{ path: 'search.count', value }], revision)
    for (const revision of [4, 5]) await service.call(undoConfiguration, { revision, reason: '' }, tokens)
    await change([{ path: 'search.count', value: 50 }], 6)
    await service.call(undoConfiguration, { revision: 7, reason: '' }, tokens)
    await service.call(restoreConfiguration, { revision: 8, to: 4, reason: '' }, tokens)
    const { db } = service.context
    const marked = async () =>
      (
        await rowsOf<{ isUndo: boolean }>(
          db,
          sql`select is_undo as "isUndo" from document_revisions
            where storefront_id = ${service.context.storefronts.of(apiKey)?.id} order by revision`,
        )
      ).map(({ isUndo }) => isUndo)
    const before = await marked()
    await db.execute(sql`update document_revisions set is_undo = false`)
    const [, backfill = ''] = (await readFile(MIGRATION, 'utf8')).split('--> statement-breakpoint')
    await db.execute(sql.raw(backfill))
    expect(await marked()).toEqual(before)
    expect(before).toEqual([false, false, false, false, true, true, false, true, false])
  })

  it('replaces everything that was set by a whole document', async () => {
    await change([{ path: 'search.count', value: 10 }])
    const document = { colors: { accent: '#ff0000' } }
    await service.call(replaceConfiguration, { revision: 1, document, reason: '' }, tokens)
    const { search, colors } = await current()
    expect([search.count, colors.accent]).toEqual([50, '#ff0000'])
    const wrong = { colors: { accent: 7 }, more: {} }
    const { error } = await service.call(
      replaceConfiguration,
      { revision: 2, document: wrong, reason: '' },
      tokens,
    )
    expect(error.details?.fields?.map(({ field }) => field)).toEqual(['colors.accent', 'more'])
  })
})
