import type { Session } from '@ondine/contract/accounts'
import { assets, listContent } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Asset } from '@ondine/contract/entities'
import type { Offer } from '@ondine/contract/offers'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../api/call.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildAsset, buildChannel, SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildOffer } from '../../rights/offers/offer-builder.ts'
import { hasSubject, subjectQuery } from './offer-subject.ts'
import { SingleLink } from './single-link.tsx'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../ground/platform/use-platform.ts', () => ({ useNative: () => false }))

const { t } = bundledWords('fra')
const SESSION: Session = {
  ...SUBSCRIBER,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 1_795_212_000,
}

/** Whether the plan of the account includes all content. */
let isIncludedInUserOffers: boolean
let availability: Asset['availability']

beforeEach(() => {
  isIncludedInUserOffers = false
  availability = { state: 'ready', percent: 100 }
  vi.mocked(call).mockImplementation(async (operation: unknown) => {
    const linkedTransactionalOffers = [1]
    const asset = buildAsset({ idAsset: 7, isIncludedInUserOffers, linkedTransactionalOffers, availability })
    if (operation === assets) return [asset]
    if (operation === listContent) return [{ type: 'asset', payload: asset }]
    if (operation === listChannels) return [buildChannel({ idChannel: 8, isIncludedInUserOffers })]
    throw new Error('unexpected call')
  })
})

/** Draws the link as on the page of the offer, after its loader. */
async function draw(differences: Partial<Offer>): Promise<string> {
  const offer = buildOffer({ idOption: 3, ...differences })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  if (hasSubject(offer)) await queries.prefetchQuery(subjectQuery(queries, offer))
  const scene = { session: SESSION, configuration: DEFAULT_CONFIGURATION, queries }
  return drawAs(createElement(SingleLink, { offer }), scene)
}

const TITLE = { idAsset: 7 }
const SEASON = { objectIds: { package: [], channel: [], season: [5] } }
const CHANNEL: Partial<Offer> = { offerType: 'ppv', objectIds: { package: [], channel: [8], season: [] } }

test.each([
  ['title', TITLE, 'contentId=7&amp;contentType=VOD_ASSET'],
  ['season', SEASON, 'contentId=7&amp;contentType=VOD_ASSET'],
  ['channel', CHANNEL, 'contentId=8&amp;contentType=CHANNEL'],
])(
  'A2.1-22 A2.1-36 the page of an offer for a %s sells it only to viewers who cannot watch it',
  async (_what, offer, content) => {
    expect(await draw(offer)).toContain(`/offers/cart?offerId=3&amp;${content}`)
    isIncludedInUserOffers = true
    expect(await draw(offer)).toBe('')
  },
)

test('A2.1-22 the page of an offer says why its title is not sold now', async () => {
  availability = { state: 'preparing', percent: 40 }
  expect(await draw(TITLE)).toContain(t('play.preparing', { percent: 40 }))
  availability = { state: 'failed', percent: 0 }
  expect(await draw(TITLE)).toContain(t('play.failed'))
  vi.mocked(call).mockResolvedValue([])
  expect(await draw(TITLE)).toContain(t('errors.unavailable'))
})

test('A2.1-36 only an offer without a title, a season or a channel asks the viewer to choose a title', async () => {
  const text = t('offers.onTitles')
  expect(await draw({})).toContain(text)
  // The answer of the previous release has no seasons.
  const previous = { package: [], channel: [] } as Partial<Offer['objectIds']> as Offer['objectIds']
  expect(await draw({ objectIds: previous })).toContain(text)
  vi.mocked(call).mockRejectedValue(new Error('503'))
  expect(await draw(SEASON)).toBe('')
})
