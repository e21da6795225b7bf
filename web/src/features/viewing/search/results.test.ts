import type { SearchResult } from '@ondine/contract/search'
import { expect, test } from 'vitest'
import {
  buildAsset,
  buildCategory,
  buildChannel,
  buildProgramme,
} from '../../content/catalogue/asset-builder.ts'
import { resultPath } from './results.ts'

const usedIn = { vod: null, epg: [] }
const channel = buildChannel({ detailRoute: '/channel/rive-1' })
const programme = buildProgramme({ id: 21, title: 'Le Cabaret' })

const RESULTS: [string, SearchResult['item']][] = [
  ['/content/la-houle-1', { type: 'asset', payload: buildAsset({ detailRoute: '/content/la-houle-1' }) }],
  [
    '/series/le-metier-4/details',
    { type: 'series', payload: buildCategory(4, 8, { detailRoute: '/series/le-metier-4/details' }) },
  ],
  ['/channel/rive-1', { type: 'channel', payload: channel, programme }],
  ['/epg/le-cabaret-21', { type: 'programme', payload: programme, channel }],
]

test.each(RESULTS)('V3-33 a result has the path of its own page: %s', (path, item) => {
  expect(resultPath({ item, usedIn })).toBe(path)
})
