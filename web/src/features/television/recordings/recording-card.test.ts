import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Recording } from '@ondine/contract/recordings'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { ContinueScreen } from '../../content/collection/continue-screen.tsx'
import { begunQuery } from '../../content/favourites/favourites-query.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { RecordingCard } from './recording-card.tsx'
import { listed, useRecordingSection } from './recording-section.tsx'
import { recordingsQuery } from './recordings-query.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))
vi.mock('../../content/catalogue/home-posters.tsx', () => ({ HomePosters: () => null }))

const NOW = 1_795_212_000

/** Returns a recording of yesterday that was half watched. */
function buildRecording(differences: Partial<Recording> = {}): Recording {
  return {
    id: 7,
    idEvent: null,
    idAsset: null,
    idChannel: 1,
    channel: 'Rive',
    title: 'Le Métier',
    subtitle: 'La trame',
    synopsis: '',
    genre: '',
    season: 1,
    episode: 2,
    image: { url: '/images/x', width: 1600, height: 900, color: '#123456' },
    rating: 0,
    isBlurred: false,
    isNeedParentalCode: false,
    startutc: NOW - 86_400,
    endutc: NOW - 86_400 + 3600,
    duration: 3600,
    state: 'recorded',
    note: null,
    missing: 0,
    expiresAt: null,
    position: 1800,
    watchedAt: NOW - 60,
    isBegun: true,
    isFavorite: false,
    next: null,
    ...differences,
  }
}

function draw(part: Parameters<typeof drawAs>[0], records: Recording[] = []): string {
  const queries = new QueryClient()
  queries.setQueryData(recordingsQuery.queryKey, { count: records.length, records })
  queries.setQueryData(begunQuery.queryKey, [])
  const session: Session = {
    ...SUBSCRIBER,
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now: NOW,
  }
  return drawAs(part, { session, configuration: DEFAULT_CONFIGURATION, queries })
}

const card = (list: 'begun' | 'favourites', differences?: Partial<Recording>) =>
  draw(createElement(RecordingCard, { recording: buildRecording(differences), layout: 'Cover', list }))

test('V4-49 the card of a begun recording resumes it, and can be removed', () => {
  const page = card('begun')
  expect(page).toContain('href="/player?recording=7"')
  expect(page).toContain('Le Métier · S1 É2')
  expect(page).toMatch(/Rive · Hier, /)
  expect(page).toContain('aria-label="Retirer Le Métier · S1 É2 de « Reprendre »"')
  expect(page).toContain('Reprendre</span>')
})

test.each([
  ['was not begun', { position: 0, isBegun: false }],
  ['was watched to its end', { position: 3590, state: 'played', isBegun: false }],
] as const)('V4-47 the card of a favourite that %s plays it from its beginning', (_name, differences) => {
  const page = card('favourites', { isFavorite: true, ...differences })
  expect(page).toContain('href="/player?recording=7&amp;t=0"')
  expect(page).toContain('aria-label="Retirer Le Métier · S1 É2 de ma liste"')
  expect(page).not.toContain('Reprendre')
})

test('the card of a blurred recording has no picture', () => {
  expect(card('begun')).toContain('/images/x')
  const page = card('begun', { isBlurred: true })
  expect(page).not.toContain('/images/x')
  expect(page).toContain('Réservé aux adultes')
})

test('V4-49 recordings in progress are listed by the time at which they were watched, favourites if they can be played', () => {
  const idsOf = (list: 'begun' | 'favourites', recordings: Partial<Recording>[]) =>
    listed(
      recordings.map((differences, id) => buildRecording({ id, ...differences })),
      list,
    ).map(({ id }) => id)
  expect(idsOf('begun', [{ watchedAt: 1 }, { watchedAt: 3 }, { isBegun: false }, { watchedAt: 2 }])).toEqual([
    1, 3, 0,
  ])
  const favourite = { isFavorite: true }
  expect(
    idsOf('favourites', [
      favourite,
      {},
      { ...favourite, state: 'planned' },
      { ...favourite, state: 'withheld' },
      { ...favourite, state: 'failed' },
      { ...favourite, state: 'recordingPlaying' },
    ]),
  ).toEqual([0, 5])
})

test('V4-49 Continue watching is empty only without titles and recordings', () => {
  const Screen = () => createElement(ContinueScreen, { recordings: useRecordingSection('begun') })
  const empty = 'Rien à reprendre pour l’instant.'
  const page = draw(createElement(Screen), [buildRecording()])
  expect(page).toContain('Le Métier · S1 É2')
  expect(page).toMatch(/<h2[^>]*>Enregistrements</)
  expect(page).not.toContain(empty)
  const without = draw(createElement(Screen), [buildRecording({ isBegun: false })])
  expect(without).toContain(empty)
  expect(without).not.toContain('Enregistrements')
})
