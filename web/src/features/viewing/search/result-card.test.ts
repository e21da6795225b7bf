import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Asset, Programme } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildAsset, buildProgramme } from '../../content/catalogue/asset-builder.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { ResultCard } from './result-card.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const NOW = 1_795_212_000
const event = buildAsset({
  title: 'La Régate',
  directMetadata: { TS_STARTUTC: NOW, TS_ENDUTC: NOW + 3600 },
})
const showing = buildProgramme({ startutc: NOW - 60, endutc: NOW + 60 })

test.each([
  ['before it begins', NOW - 1, [], 0],
  ['while it is on', NOW, [], 1],
  ['while a channel shows it too', NOW, [showing], 1],
  ['after it has ended', NOW + 3600, [], 0],
])('V3-15 V3-33 the result of a live event has one live mark, %s', (_when, now, epg, marks) => {
  const card = drawCard(event, epg, now)
  expect(card.split(bundledWords('fra').t('tag.live'))).toHaveLength(marks + 1)
})

test.each([
  [60, true],
  [30 * 86_400, false],
])('V3-19 the result of a title that arrived %d s ago says whether it is new', (age, isNew) => {
  const card = drawCard(buildAsset({ validityStartDateTime: NOW - age }), [], NOW)
  expect(card.includes(bundledWords('fra').t('tag.new'))).toBe(isNew)
})

function drawCard(asset: Asset, epg: Programme[], now: number): string {
  const session: Session = {
    account: null,
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now,
  }
  const result = { item: { type: 'asset' as const, payload: asset }, usedIn: { vod: { live: true }, epg } }
  return drawAs(createElement(ResultCard, { result, highlight: [] }), {
    session,
    configuration: DEFAULT_CONFIGURATION,
    queries: new QueryClient(),
  })
}
