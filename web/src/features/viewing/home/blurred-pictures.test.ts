import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '@ondine/contract/accounts'
import type { Rail } from '@ondine/contract/catalogue'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Image } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import {
  buildAsset,
  buildCategory,
  buildChannel,
  buildProgramme,
  NOTHING_ANNOUNCED,
} from '../../content/catalogue/asset-builder.ts'
import { AssetScreen } from '../../content/catalogue/asset-screen.tsx'
import { ChannelCard } from '../../content/catalogue/channel-card.tsx'
import { EpisodeList } from '../../content/catalogue/episode-list.tsx'
import { ItemCard } from '../../content/catalogue/item-card.tsx'
import { assetQuery, seriesQuery } from '../../content/catalogue/queries.ts'
import { SeriesScreen } from '../../content/catalogue/series-screen.tsx'
import { TrailerCard } from '../../content/editorial/trailer-card.tsx'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { ProgrammeRow } from '../../television/channels/programme-row.tsx'
import { ProgrammePanel } from '../../television/guide/programme-panel.tsx'
import { eventQuery } from '../../television/schedule/queries.ts'
import { ResultCard } from '../search/result-card.tsx'
import { Hero } from './hero.tsx'
import { PosterHead } from './poster-head.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const NOW = 1_795_212_000
const VISITOR: Session = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: NOW,
}

const picture = (url: string): Image => ({ url, width: 1920, height: 1080, color: '#102030' })
const LOGO = picture('/images/logo')

const film = (isBlurred: boolean) =>
  buildAsset({
    isBlurred,
    posterImage: picture('/images/poster'),
    backgroundImage: picture('/images/background'),
    thumbnailImage: picture('/images/thumbnail'),
    trailer: { idMedia: 3 },
  })
const series = (isBlurred: boolean) =>
  buildCategory(4, 8, {
    isBlurred,
    isSerie: true,
    name: 'Le Métier',
    images: {
      default: picture('/images/default'),
      background: picture('/images/background'),
      poster: picture('/images/poster'),
      portrait: picture('/images/portrait'),
      logo: null,
    },
  })
const programme = (isBlurred: boolean) =>
  buildProgramme({
    isBlurred,
    startutc: NOW - 600,
    endutc: NOW + 3000,
    image: picture('/images/programme'),
  })
const channel = buildChannel({ logoImage: LOGO })
const usedIn = { vod: null, epg: [] }

/**
 * Parts that show pictures of titles and programmes, with a title for adults or without: the cards and rows of lists,
 * the slides of home, trailers in articles, search results, the heads of the pages of films and series, and the panel
 * of the guide. Not among them are the player and the pages of playlists, channels and programmes.
 *
 * @param queries receives the answers of calls that a part needs
 */
const PARTS: Record<string, (isBlurred: boolean, queries: QueryClient) => ReactNode> = {
  'the card of a film': (is) =>
    createElement(ItemCard, { item: { type: 'asset', payload: film(is) }, layout: 'Poster' }),
  'the card of a series': (is) =>
    createElement(ItemCard, { item: { type: 'category', payload: series(is) }, layout: 'Cover' }),
  'the card of a channel': (is) => createElement(ChannelCard, { channel, programme: programme(is) }),
  'the slides of home': (is) =>
    createElement(Hero, {
      name: 'hero',
      items: [
        { type: 'asset', payload: film(is) },
        { type: 'category', payload: series(is) },
      ],
      layout: 'Hero',
    }),
  'the episodes of a season': (is) => createElement(EpisodeList, { episodes: [film(is)], page: '/' }),
  'a trailer in an article': (is) =>
    createElement(TrailerCard, { item: { type: 'asset', payload: film(is) }, caption: '' }),
  'a programme of the day': (is) =>
    createElement(ProgrammeRow, { programme: programme(is), channel, now: NOW }),
  'a film that a search found': (is) =>
    createElement(ResultCard, {
      result: { item: { type: 'asset', payload: film(is) }, usedIn },
      highlight: [],
    }),
  'a series that a search found': (is) =>
    createElement(ResultCard, {
      result: { item: { type: 'series', payload: series(is) }, usedIn },
      highlight: [],
    }),
  'a channel that a search found': (is) =>
    createElement(ResultCard, {
      result: { item: { type: 'channel', payload: channel, programme: programme(is) }, usedIn },
      highlight: [],
    }),
  'a programme that a search found': (is) =>
    createElement(ResultCard, {
      result: { item: { type: 'programme', payload: programme(is), channel }, usedIn },
      highlight: [],
    }),
  'the page of a film': (is, queries) => {
    const content = { type: 'asset' as const, payload: film(is) }
    const { idAsset } = content.payload
    queries.setQueryData(assetQuery(idAsset).queryKey, { content, series: null, resume: null, next: null })
    return createElement(AssetScreen, { id: idAsset, renderDownload: () => null })
  },
  'the page of a series': (is, queries) => {
    const content = { type: 'category' as const, payload: { ...series(is), assets: [film(is)] } }
    const { idCatalog } = content.payload
    queries.setQueryData(seriesQuery(idCatalog).queryKey, {
      content,
      series: null,
      resume: film(is),
      next: null,
    })
    return createElement(SeriesScreen, { id: idCatalog, seasonId: undefined, renderDownload: () => null })
  },
  'the panel of the guide': (is, queries) => {
    const current = programme(is)
    const { startutc: start, endutc: end, id } = current
    queries.setQueryData(eventQuery(id, channel.idChannel).queryKey, {
      current,
      announced: NOTHING_ANNOUNCED,
      previous: null,
      parts: [],
      next: null,
      showings: [],
    })
    const tile = { kind: 'programme' as const, start, end, programmes: [current] }
    return createElement(ProgrammePanel, {
      chosen: { channel, tile, byKey: false },
      now: NOW,
      onClose: () => undefined,
    })
  },
}

test.each(Object.entries(PARTS))('A6-08 %s blurs the pictures of adult content, and no others', (_, part) => {
  for (const isBlurred of [true, false]) {
    const queries = new QueryClient()
    expect(blursOf(part(isBlurred, queries), queries)).toEqual(new Set([isBlurred]))
  }
})

test('A6-08 the logo of a channel is sharp if its programme has no picture', () => {
  const adult = { ...programme(true), image: null }
  expect(blursOf(createElement(ChannelCard, { channel, programme: adult }))).toEqual(new Set([false]))
  const result = { item: { type: 'channel' as const, payload: channel, programme: adult }, usedIn }
  expect(blursOf(createElement(ResultCard, { result, highlight: [] }))).toEqual(new Set([false]))
})

test('A6-08 the wall of posters has none of adult content', () => {
  const items = Array.from({ length: 5 }, (_, place) => ({
    type: 'asset' as const,
    payload: { ...film(place === 0), posterImage: picture(`/images/poster-${place}`) },
  }))
  const rail: Rail = {
    id: 'films',
    title: 'Films',
    subtitle: '',
    layout: 'Poster',
    kind: 'category',
    titleSize: null,
    imageHeight: null,
    route: null,
    editorialType: null,
    failed: false,
    items,
  }
  const head = { title: '', text: '', rails: [rail], children: null }
  const wall = draw(createElement(PosterHead, head))
  expect(wall).toContain('/images/poster-1/')
  expect(wall).not.toContain('/images/poster-0/')
})

test('A6-08 the pointer over a trailer keeps the scale of a blurred picture, which hides the edges of the blur', () => {
  const styles = join(import.meta.dirname, '../../content/editorial/trailer-card.module.css')
  const scaled = [...readFileSync(styles, 'utf8').matchAll(/([^{}]*\.still\b[^{}]*)\{\s*transform:/g)]
  expect(scaled.map(([, selector]) => selector)).toEqual([expect.stringContaining(':not([data-blurred])')])
})

function draw(part: ReactNode, queries = new QueryClient()): string {
  return drawAs(part, { session: VISITOR, configuration: DEFAULT_CONFIGURATION, queries })
}

/** Returns whether the pictures of a part are blurred: one value if all of them are alike. */
function blursOf(part: ReactNode, queries?: QueryClient): Set<boolean> {
  return new Set(
    (draw(part, queries).match(/<img[^>]*>/g) ?? []).map((image) => image.includes('data-blurred')),
  )
}
