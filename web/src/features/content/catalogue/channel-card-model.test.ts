import type { Image } from '@ondine/contract/entities'
import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { channelCardModel } from './channel-card-model.ts'

const { t } = bundledWords('fra')
const place = { language: 'fra', timeZone: 'Europe/Paris', dateFormat: 'YYYY-MM-DD' } as const
const logo: Image = { url: '/logo', width: 96, height: 96, color: '#123456' }
const still: Image = { url: '/still', width: 1920, height: 1080, color: '#654321' }
const channel = { name: 'Rive', logoImage: logo }
const startutc = Date.UTC(2026, 10, 21, 19, 30) / 1000
const programme = {
  title: 'La Houle',
  image: still,
  startutc,
  endutc: startutc + 75 * 60,
}

test("V3-27 a channel's card shows the current programme: picture, title, times, length, progress", () => {
  expect(channelCardModel(channel, programme, { state: 'live', share: 0.4 }, place, t)).toEqual({
    layoutMode: 'Cover',
    showCover: true,
    coverImg: still,
    title: 'La Houle',
    subtitle: 'Rive',
    logo,
    showMeta: true,
    meta1: '20:30 – 21:45',
    meta2: '1 h 15',
    highlight: true,
    showProgressBar: true,
    progressPercent: 40,
  })
})

test.each(['starts', 'done'] as const)('V3-27 shows no highlight and no progress in state %s', (state) => {
  expect(channelCardModel(channel, programme, { state, share: 1 }, place, t)).toMatchObject({
    showMeta: true,
    highlight: false,
    showProgressBar: false,
    progressPercent: 0,
  })
})

test('V3-27 a channel without a programme shows its logo and its name', () => {
  expect(channelCardModel({ name: 'Rive', logoImage: null }, null, undefined, place, t)).toMatchObject({
    showCover: false,
    coverImg: null,
    title: 'Rive',
    subtitle: '',
    logo: null,
    showMeta: false,
    meta1: '',
    meta2: '',
    highlight: false,
    showProgressBar: false,
  })
})

test('V3-27 a programme without a picture shows the logo, and a length of seconds counts as one minute', () => {
  const short = { ...programme, image: null, endutc: startutc + 20 }
  expect(channelCardModel(channel, short, { state: 'live', share: 0 }, place, t)).toMatchObject({
    showCover: false,
    logo,
    meta2: '1 min',
  })
})

test.each([
  ['a day', Date.UTC(2026, 10, 21, 23), 24],
  ['a day of 23 hours', Date.UTC(2026, 2, 28, 23), 23],
])('V3-27 a programme that fills %s is shown as the whole day, without a length', (_what, begin, hours) => {
  const whole = {
    ...programme,
    startutc: begin / 1000,
    endutc: begin / 1000 + hours * 3600,
  }
  expect(channelCardModel(channel, whole, { state: 'live', share: 0.5 }, place, t)).toMatchObject({
    showMeta: true,
    meta1: 'Toute la journée',
    meta2: '',
  })
})
