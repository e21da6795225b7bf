import { expect, test } from 'vitest'
import { type EndSituation, endTarget } from './end-target.ts'

const episode: EndSituation = {
  playable: {
    kind: 'asset',
    isSerie: true,
    seriesRoute: '/series/front-froid-40/details',
    detailRoute: '/content/episode-12',
  },
  next: true,
  binge: true,
  dismissed: false,
  from: '/series/front-froid-40/details',
}
const film: EndSituation = {
  ...episode,
  playable: { kind: 'asset', isSerie: false, seriesRoute: null, detailRoute: '/content/la-houle-11' },
  next: false,
  from: '/content/la-houle-11',
}

test('V4-46 spec 19: the next episode follows an episode if binge is on', () => {
  expect(endTarget(episode)).toEqual({ kind: 'next' })
})

test('V4-46 without a next episode, without binge or after a dismissal, the series page follows', () => {
  const series = { kind: 'page', path: '/series/front-froid-40/details' }
  expect(endTarget({ ...episode, next: false })).toEqual(series)
  expect(endTarget({ ...episode, binge: false })).toEqual(series)
  expect(endTarget({ ...episode, dismissed: true })).toEqual(series)
})

test('V4-46 after a film its own page follows, or the player closes when there is none', () => {
  expect(endTarget(film)).toEqual({ kind: 'page', path: '/content/la-houle-11' })
  expect(endTarget({ ...film, playable: { ...film.playable, detailRoute: '' } })).toEqual({ kind: 'close' })
})

test('spec 19: an asset started from home or guide returns there', () => {
  for (const from of ['/', '/home', '/epg', '/live']) {
    expect(endTarget({ ...film, from })).toEqual({ kind: 'close' })
    expect(endTarget({ ...episode, next: false, from })).toEqual({ kind: 'close' })
  }
  expect(endTarget({ ...film, from: undefined })).toEqual({ kind: 'page', path: '/content/la-houle-11' })
})

test('V2.1-16 spec 19: a download started from the list of downloads returns there, and from the offline page to that page', () => {
  const detailRoute = '/player?offline=true'
  const download = { ...film, playable: { ...film.playable, detailRoute } }
  expect(endTarget({ ...download, from: '/library/downloads' })).toEqual({ kind: 'close' })
  expect(endTarget({ ...download, from: undefined })).toEqual({ kind: 'page', path: detailRoute })
})

test('after a channel or a trailer the player closes', () => {
  for (const kind of ['channel', 'trailer'] as const) {
    expect(endTarget({ ...film, playable: { ...film.playable, kind } })).toEqual({ kind: 'close' })
  }
})

test('after a recording the next episode follows if binge is on, else the player closes', () => {
  const recording: EndSituation = {
    ...episode,
    playable: {
      kind: 'recording',
      isSerie: true,
      seriesRoute: null,
      detailRoute: '/library/completed-records',
    },
    from: '/library/completed-records',
  }
  expect(endTarget(recording)).toEqual({ kind: 'next' })
  for (const other of [{ next: false }, { binge: false }, { dismissed: true }])
    expect(endTarget({ ...recording, ...other })).toEqual({ kind: 'close' })
})
