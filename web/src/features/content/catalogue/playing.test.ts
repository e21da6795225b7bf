import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildAsset, buildChannel, SUBSCRIBER } from './asset-builder.ts'
import {
  assetAction,
  broadcastAction,
  channelAction,
  isBegun,
  remainingSeconds,
  seriesAction,
  startPosition,
  trailerPath,
} from './playing.ts'

const { t } = bundledWords('fra')
const { t: english } = bundledWords('eng')
const VISITOR = { account: null }
const PAGE = '/content/la-houle-1'

test('V6-02 a visitor is asked to sign in instead, and comes back to the page', () => {
  expect(assetAction(buildAsset(), VISITOR, PAGE, t)).toEqual({
    kind: 'connect',
    text: 'Se connecter',
    label: 'Se connecter pour regarder La Houle',
    to: '/auth/login?back=%2Fcontent%2Fla-houle-1',
  })
  expect(assetAction(buildAsset(), VISITOR, PAGE, english)).toMatchObject({ text: 'Sign in' })
})

test('a subscriber plays from the start', () => {
  expect(assetAction(buildAsset(), SUBSCRIBER, PAGE, t)).toEqual({
    kind: 'play',
    text: 'Lecture',
    to: '/player?asset=1',
  })
})

test('a subscriber resumes at the last position', () => {
  const asset = buildAsset({ seekTime: 760, durationInSeconds: 6480 })
  expect(assetAction(asset, SUBSCRIBER, PAGE, t)).toMatchObject({ text: 'Reprendre à 12:40' })
})

test('on a series page the button names the episode', () => {
  const episode = { directMetadata: { AD_SERIESEA: 1, AD_SERIESEP: 4 }, durationInSeconds: 1500 }
  expect(assetAction(buildAsset(episode), SUBSCRIBER, PAGE, t, true)).toMatchObject({ text: 'Lecture S1 É4' })
  expect(assetAction(buildAsset({ ...episode, seekTime: 700 }), SUBSCRIBER, PAGE, t, true)).toMatchObject({
    text: 'Reprendre S1 É4',
  })
  const several = { directMetadata: { ...episode.directMetadata, AD_SERIESEPEND: 5 } }
  expect(assetAction(buildAsset(several), SUBSCRIBER, PAGE, t, true)).toMatchObject({
    text: 'Lecture S1 É4–5',
  })
})

test('a begun series resumes at its episode, another one plays', () => {
  const series = { idCatalog: 7, name: 'Le Métier', resume: undefined }
  expect(seriesAction(series, SUBSCRIBER, '/', t)).toEqual({
    kind: 'play',
    text: 'Lecture',
    to: '/player?series=7',
  })
  const episode = { directMetadata: { AD_SERIESEA: 1, AD_SERIESEP: 4 }, durationInSeconds: 1500 }
  const begun = { ...series, resume: buildAsset({ ...episode, seekTime: 700 }) }
  expect(seriesAction(begun, SUBSCRIBER, '/', t)).toMatchObject({ text: 'Reprendre S1 É4' })
  const next = { ...series, resume: buildAsset(episode) }
  expect(seriesAction(next, SUBSCRIBER, '/', t)).toMatchObject({ text: 'Lecture S1 É4' })
  expect(seriesAction(begun, VISITOR, '/', t)).toMatchObject({ kind: 'connect' })
})

test('V6-03 a series whose episode is locked has no play button but says what is missing', () => {
  const series = { idCatalog: 7, name: 'Le Métier', resume: buildAsset({ isIncludedInUserOffers: false }) }
  expect(seriesAction(series, SUBSCRIBER, '/', t)).toEqual({
    kind: 'locked',
    text: 'Vous n’avez pas d’abonnement pour ce titre.',
  })
})

test('V6-03 locked content has no play button but says what is missing', () => {
  const action = assetAction(buildAsset({ isIncludedInUserOffers: false }), SUBSCRIBER, PAGE, t)
  expect(action).toEqual({ kind: 'locked', text: 'Vous n’avez pas d’abonnement pour ce titre.' })
})

test('V4-13 a suspended account cannot play, and is told so', () => {
  const session = { account: { ...SUBSCRIBER.account, status: 'SUSPENDED' as const } }
  expect(assetAction(buildAsset(), session, PAGE, t)).toMatchObject({ kind: 'suspended' })
  expect(channelAction(buildChannel(), session, '/channel/rive-1', t)).toMatchObject({ kind: 'suspended' })
})

test('an asset in preparation shows its progress to everyone', () => {
  const asset = buildAsset({ availability: { state: 'preparing', percent: 41.6 } })
  expect(assetAction(asset, VISITOR, PAGE, t)).toEqual({
    kind: 'preparing',
    text: 'Bientôt disponible · 42 %',
  })
})

test('a channel plays live, is locked, or asks to sign in', () => {
  const page = '/channel/rive-1'
  expect(channelAction(buildChannel(), SUBSCRIBER, page, t)).toMatchObject({
    kind: 'play',
    to: '/player?channel=1',
  })
  expect(channelAction(buildChannel({ isIncludedInUserOffers: false }), SUBSCRIBER, page, t).kind).toBe(
    'locked',
  )
  expect(channelAction(buildChannel(), VISITOR, page, t).kind).toBe('connect')
})

test.each([
  [30, 6000, 0],
  [31, 6000, 31],
  [5969, 6000, 5969],
  [5970, 6000, 0],
  [0, 6000, 0],
  // An asset of exactly ten minutes is not short.
  [30, 600, 0],
  [31, 600, 31],
  // A shorter asset resumes only at a position that is more than 5 % from both ends (spec 44).
  [29, 599, 0],
  [30, 599, 30],
  [5, 100, 0],
  [5.1, 100, 5.1],
  [62, 100, 62],
  [94.9, 100, 94.9],
  [95, 100, 0],
  [1, 0, 0],
])('V4-30 a start position of %d s in %d s is %d s', (seekTime, durationInSeconds, start) => {
  expect(startPosition({ seekTime, durationInSeconds })).toBe(start)
})

test('V4-30 at 62 % of a short film the button resumes it', () => {
  const asset = buildAsset({ seekTime: 59, durationInSeconds: 96, alreadyWatchedInPercent: 61.5 })
  expect(assetAction(asset, SUBSCRIBER, PAGE, t)).toMatchObject({ text: 'Reprendre à 0:59' })
})

test.each([
  [0.9, false],
  [1, true],
  [95, true],
  [95.1, false],
])('V4-49 a long film is begun at %d percent: %s', (alreadyWatchedInPercent, begun) => {
  const durationInSeconds = 6000
  const seekTime = (alreadyWatchedInPercent / 100) * durationInSeconds
  expect(isBegun({ alreadyWatchedInPercent, seekTime, durationInSeconds })).toBe(begun)
})

test.each([
  ['one second of a short film', 1, 44, 'Lecture', false],
  ['a twentieth of a short film', 3, 44, 'Reprendre à 0:03', true],
  ['a minute of a long film', 60, 6000, 'Reprendre à 1:00', true],
  ['nearly all of a long film', 5800, 6000, 'Lecture', false],
])(
  'V4-30 V4-49 after %s the button and the progress bar agree',
  (_what, seekTime, durationInSeconds, text, begun) => {
    const alreadyWatchedInPercent = (seekTime / durationInSeconds) * 100
    const asset = buildAsset({ seekTime, durationInSeconds, alreadyWatchedInPercent })
    expect(assetAction(asset, SUBSCRIBER, PAGE, t)).toMatchObject({ text })
    expect(isBegun(asset)).toBe(begun)
  },
)

test('V6-02 everyone may see the trailer, where there is one', () => {
  expect(trailerPath(buildAsset({ trailer: { idMedia: 9 } }))).toBe('/player?trailer=9')
  expect(trailerPath(buildAsset({ trailer: null }))).toBeUndefined()
})

test.each([
  [{ durationInSeconds: 6000, seekTime: 1500 }, 4500],
  [{ durationInSeconds: 6000, seekTime: 0 }, 6000],
  [{ durationInSeconds: 60, seekTime: 61 }, 0],
])('V3-17 the remaining time of %j', (asset, left) => {
  expect(remainingSeconds(asset)).toBe(left)
})

test('19.3 an event that a channel carries plays from its start on, live while it is on', () => {
  const action = assetAction(buildAsset(), SUBSCRIBER, PAGE, t)
  expect(broadcastAction(action, 'starts', t)).toEqual({
    kind: 'preparing',
    text: 'Ce direct n’a pas encore commencé.',
  })
  expect(broadcastAction(action, 'live', t)).toEqual({
    kind: 'play',
    text: 'Regarder en direct',
    to: '/player?asset=1',
  })
  expect(broadcastAction(action, 'done', t)).toBe(action)
  const visitor = assetAction(buildAsset(), VISITOR, PAGE, t)
  expect(broadcastAction(visitor, 'starts', t)).toBe(visitor)
})
