// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from 'xstate'
import type { Track } from '../engine/engine.ts'
import { start } from '../machine/test-player.ts'
import { LanguagesPanel } from './options-panels.tsx'

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }))
vi.mock('../../words/place.tsx', () => ({ usePlace: () => ({ language: 'fra', timeZone: 'UTC' }) }))

const track = (trackId: string, language: string, more: Partial<Track> = {}): Track => ({
  trackId,
  type: 'AUDIO',
  language,
  label: '',
  isActive: false,
  captions: false,
  ...more,
})

test.each([
  ['a sound with its label, if its language has others', '2', { audioLabel: '2', audioAddition: undefined }],
  ['the only sound of a language without a label', '3', { audioLabel: undefined, audioAddition: undefined }],
  [
    'a description, also as the only sound of its language',
    '4',
    { audioLabel: 'AD', audioAddition: 'description' },
  ],
])('spec 21 remembers %s', async (_, trackId, expected) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const { actor } = start()
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  const audio = [
    track('1', 'fr', { label: '1', isActive: true }),
    track('2', 'fr', { label: '2' }),
    track('3', 'en'),
    track('4', 'de', { label: 'AD', addition: 'description' }),
  ]
  actor.send({ type: 'engine.tracks', tracks: { audio, subtitles: [], qualities: [], quality: null } })
  const place = document.createElement('div')
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    vi.unstubAllGlobals()
  })
  await act(async () => root.render(createElement(LanguagesPanel, { actor, close: () => undefined })))
  await act(async () => place.querySelector<HTMLInputElement>(`input[value="${trackId}"]`)?.click())
  expect(actor.getSnapshot().context.selectedMedia).toMatchObject(expected)
})
