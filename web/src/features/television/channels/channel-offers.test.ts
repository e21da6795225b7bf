import type { Session } from '@ondine/contract/accounts'
import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { Offer } from '@ondine/contract/offers'
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildChannel, buildProgramme, SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildOffer, buildPlan } from '../../rights/offers/offer-builder.ts'
import { offersOfQuery } from '../../rights/offers/offers-query.ts'
import { ProgrammePanel } from '../guide/programme-panel.tsx'
import { LiveStage } from './live-stage.tsx'

const device = vi.hoisted(() => ({ native: false }))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))
vi.mock('../../ground/platform/use-platform.ts', () => ({ useNative: () => device.native }))

const NOW = 1_795_212_000
const { t } = bundledWords('fra')
const LOCKED = buildChannel({ isIncludedInUserOffers: false })
const PROGRAMME = buildProgramme({ startutc: NOW - 600, endutc: NOW + 600 })
const EVENT = buildOffer({ idOption: 3, offerType: 'ppv', title: 'Une journée de Rive', rightSlot: 86_400 })
const OFFERS = [EVENT, buildPlan()]
const EVENT_CART = '/offers/cart?offerId=3&contentId=1&contentType=CHANNEL'

const ADULT = {
  id: 1,
  name: 'Camille',
  language: 'fra',
  picture: null,
  avatarId: null,
  imageId: null,
  kidProfile: false,
  parentalControl: false,
  default: true,
  maximumMoralityLevel: 0,
  settings: {},
}
const ACCOUNT: Session = {
  ...SUBSCRIBER,
  profile: ADULT,
  storefront: { name: 'Ondine', demonstration: false },
  now: NOW,
}
const VISITOR: Session = { ...ACCOUNT, account: null, profile: null }
const CHILD: Session = { ...ACCOUNT, profile: { ...ADULT, kidProfile: true } }
const SUSPENDED: Session = { ...ACCOUNT, account: { ...SUBSCRIBER.account, status: 'SUSPENDED' } }

type Screen = (channel: Channel, programme: Programme) => ReactNode

const liveStage: Screen = (channel, current) =>
  createElement(LiveStage, { channel, current, next: undefined, now: NOW })

const guidePanel: Screen = (channel, programme) => {
  const { startutc: start, endutc: end } = programme
  const chosen = {
    channel,
    tile: { kind: 'programme' as const, start, end, programmes: [programme] },
    byKey: false,
  }
  return createElement(ProgrammePanel, { chosen, now: NOW, onClose: () => undefined })
}

interface Situation {
  session?: Session
  /** Offers that include the channel. */
  offers?: Offer[]
  channel?: Channel
  programme?: Programme
  /** The operator's sales settings. */
  sells?: Partial<Configuration['offers']>
}

/** Renders a screen in the same way as the service. */
function draw(
  screen: Screen,
  { session = ACCOUNT, offers = OFFERS, channel = LOCKED, programme = PROGRAMME, sells = {} }: Situation,
): string {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  queries.setQueryData(offersOfQuery(channel.idChannel, 'CHANNEL').queryKey, offers)
  const configuration: Configuration = {
    ...DEFAULT_CONFIGURATION,
    offers: { ...DEFAULT_CONFIGURATION.offers, subscription: 'enabled', transactional: 'enabled', ...sells },
  }
  return drawAs(screen(channel, programme), { session, configuration, queries })
}

/** Returns the links and buttons of a page: their texts, their targets, and whether they are main actions. */
function pressed(page: string) {
  return [...page.matchAll(/<(?:a|button)\b([^>]*)>(.*?)<\/(?:a|button)>/gs)].map(
    ([, attributes = '', inner = '']) => ({
      words: inner.replaceAll(/<[^>]*>/g, '').replaceAll(/\s/g, ' '),
      to: /href="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&'),
      isMain: /class="[^"]*primary/.test(attributes),
    }),
  )
}

/** Beginnings of the texts of purchase buttons. */
const SELLS = /^(?:S’abonner|Acheter|Louer|Comparer)/

const sold = (page: string) => pressed(page).filter(({ words }) => SELLS.test(words))
const soldWords = (page: string) => sold(page).map(({ words }) => words)

describe.each([
  ['the stage of the live page', liveStage],
  ['the panel of the guide', guidePanel],
])('on %s', (_name, screen) => {
  afterEach(() => {
    device.native = false
  })

  it('V6-03 A2.1-23 an account without the rights sees the offers that open the channel, the plans first', () => {
    const page = draw(screen, {})
    expect(page).toContain('Vous n’avez pas d’abonnement pour cette chaîne.')
    expect(sold(page)).toEqual([
      { words: 'S’abonner', to: '/offers', isMain: true },
      { words: 'Acheter 3,99 €', to: EVENT_CART, isMain: false },
      { words: 'Comparer les offres', to: undefined, isMain: false },
    ])
    expect(page).toContain('24 heures')
  })

  it('A9-02 the duration of a purchase follows its button, before the comparison of offers', () => {
    const page = draw(screen, {})
    const [button, duration, comparison] = ['Acheter', '24 heures', 'Comparer les offres'].map((text) =>
      page.indexOf(text),
    )
    expect(button).toBeLessThan(duration ?? 0)
    expect(duration).toBeLessThan(comparison ?? 0)
  })

  it('A3-24 a single purchase is the main action where no plan opens the channel', () => {
    const rental = buildOffer({ idOption: 3, title: 'Deux jours de Rive' })
    expect(sold(draw(screen, { offers: [rental] }))).toEqual([
      { words: 'Louer 3,99 €', to: EVENT_CART, isMain: true },
    ])
  })

  it('a visitor sees the offers as the main action, and the sign-in beside them', () => {
    const page = draw(screen, { session: VISITOR })
    expect(sold(page).map(({ words, isMain }) => [words, isMain])).toEqual([
      ['S’abonner', true],
      ['Acheter 3,99 €', false],
      ['Comparer les offres', false],
    ])
    expect(pressed(page)).toContainEqual({
      words: 'Se connecter',
      to: '/auth/login?back=%2Fchannel%2Frive-1',
      isMain: false,
    })
  })

  it('a visitor only signs in for a free channel', () => {
    const page = draw(screen, {
      session: VISITOR,
      channel: buildChannel({ isIncludedInUserOffers: false, item: { ...LOCKED.item, isFta: true } }),
    })
    expect(soldWords(page)).toEqual([])
    expect(page).toContain('Se connecter')
  })

  it('an account that may watch the channel is offered nothing', () => {
    const page = draw(screen, { channel: buildChannel() })
    expect(soldWords(page)).toEqual([])
    expect(page).toContain('Regarder en direct')
  })

  it('A2.3-13 does not offer again an offer that the account has already', () => {
    expect(
      soldWords(draw(screen, { offers: OFFERS.map((offer) => ({ ...offer, userValidityActive: true })) })),
    ).toEqual([])
    expect(soldWords(draw(screen, { offers: [EVENT, buildPlan({ userValidityActive: true })] }))).toEqual([
      'Acheter 3,99 €',
    ])
  })

  it('a child is offered nothing, and is told whom to ask', () => {
    const page = draw(screen, { session: CHILD })
    expect(soldWords(page)).toEqual([])
    expect(page).not.toContain('€')
    expect(page).toContain(t('child.locked'))
  })

  it('A6-03 V4-13 a suspended account is offered nothing, and is told why when it plays', () => {
    const page = draw(screen, { session: SUSPENDED })
    expect(soldWords(page)).toEqual([])
    expect(page).not.toContain('€')
    expect(page).toMatch(/aria-haspopup="dialog"[^>]*>(?:<svg.*?<\/svg>)?Regarder en direct/)
  })

  it('A4.8-12 an app without mobilePayment shows no price, and leads to the website', () => {
    device.native = true
    const page = draw(screen, {})
    expect(sold(page)).toEqual([{ words: 'S’abonner', to: undefined, isMain: true }])
    expect(page).not.toContain('€')
    expect(soldWords(draw(screen, { session: VISITOR }))).toEqual([])
  })

  it('A4.8-12 an app with mobilePayment shows the same offers as the website', () => {
    const website = soldWords(draw(screen, {}))
    device.native = true
    expect(soldWords(draw(screen, { sells: { mobilePayment: true } }))).toEqual(website)
  })

  it.each<[string, Situation, string[]]>([
    ['no subscriptions', { sells: { subscription: 'disabled' } }, ['Acheter 3,99 €']],
    ['no single purchases', { sells: { transactional: 'disabled' } }, ['S’abonner']],
    ['nothing', { sells: { subscription: 'disabled', transactional: 'disabled' } }, []],
    ['nothing for this channel', { offers: [] }, []],
  ])('A4.2-01 A4.2-02 an operator that sells %s shows no more', (_what, situation, words) => {
    expect(soldWords(draw(screen, situation))).toEqual(words)
  })
})

describe('the panel of the guide', () => {
  it('leads to the page of a later programme first, then to the offers', () => {
    const programme = buildProgramme({ startutc: NOW + 600, endutc: NOW + 1200 })
    const page = draw(guidePanel, { programme })
    expect(soldWords(page)).toEqual(['S’abonner', 'Acheter 3,99 €', 'Comparer les offres'])
    expect(
      pressed(page)
        .filter(({ isMain }) => isMain)
        .map(({ words }) => words),
    ).toEqual(['Fiche du programme'])
  })
})
