import { expect, test } from 'vitest'
import type { Languages } from '../content/playable.ts'
import type { ShakaPlayer } from './shaka.ts'
import { activeLanguages, chooseTrack, readTracks, selectLanguages } from './shaka-tracks.ts'

type AudioTrack = ReturnType<ShakaPlayer['getAudioTracks']>[number]
type TextTrack = ReturnType<ShakaPlayer['getTextTracks']>[number]

type Sound = Pick<AudioTrack, 'language' | 'label' | 'channelsCount' | 'roles' | 'primary' | 'active'>

/** Creates a fake Shaka player with audio and text tracks in two languages. `sounds` makes other audio tracks. */
function shakaPlayer(sounds?: (sound: (language: string, label?: string) => Sound) => Sound[]) {
  const sound = (language: string, label: string | null = null) => ({
    language,
    label,
    channelsCount: 2,
    roles: [] as string[],
    primary: false,
    active: false,
  })
  const audio = sounds?.(sound) ?? [
    { ...sound('fr'), active: true },
    sound('en'),
    { ...sound('en', 'Commentary'), roles: ['commentary'] },
  ]
  const texts = [
    { id: 3, language: 'fr', label: null, roles: ['subtitle'], forced: false, active: false },
    { id: 6, language: 'fr', label: null, roles: ['caption'], forced: false, active: false },
    { id: 4, language: 'en', label: 'SDH', roles: ['caption'], forced: false, active: true },
    { id: 5, language: 'en', label: null, roles: ['subtitle'], forced: true, active: false },
  ]
  const activate = (tracks: { active: boolean }[], chosen: unknown) => {
    for (const track of tracks) track.active = track === chosen
  }
  const player = {
    getAudioTracks: () => audio,
    getTextTracks: () => texts,
    getVideoTracks: () => [{ height: 360 }, { height: 720 }, { height: 360 }, { height: null }],
    selectAudioTrack: (track: AudioTrack) => activate(audio, track),
    selectTextTrack: (track: TextTrack | null) => activate(texts, track),
  }
  // The fake has only the members that `shaka-tracks.ts` uses.
  return player as unknown as ShakaPlayer
}

/** Returns the id of the text that is on the screen, forced or not. */
function shownText(player: ShakaPlayer): number | undefined {
  return player.getTextTracks().find(({ active }) => active)?.id
}

/** Returns the languages of the active tracks. */
function activeOf(player: ShakaPlayer): string[] {
  const { audio, subtitles } = readTracks(player, null)
  return [...audio, ...subtitles].filter(({ isActive }) => isActive).map(({ language }) => language)
}

test('V3-37 a track has its type, its language, its id, and whether it is active', () => {
  const { audio, subtitles, qualities } = readTracks(shakaPlayer(), 720)
  expect(audio).toMatchObject([
    { type: 'AUDIO', language: 'fr', isActive: true },
    { type: 'AUDIO', language: 'en', isActive: false },
    { type: 'AUDIO', language: 'en', isActive: false, label: 'Commentary', addition: 'commentary' },
  ])
  expect(new Set(audio.map(({ trackId }) => trackId)).size).toBe(3)
  // Forced subtitles are not in the list, because the viewer cannot choose them.
  expect(subtitles).toEqual([
    { type: 'TEXT', language: 'fr', trackId: '3', isActive: false, label: '', captions: false },
    { type: 'TEXT', language: 'fr', trackId: '6', isActive: false, label: '', captions: true },
    { type: 'TEXT', language: 'en', trackId: '4', isActive: true, label: 'SDH', captions: true },
  ])
  expect(qualities).toEqual([720, 360])
})

test('V3-37 a track is chosen by its id; an unknown id changes no sound and shows no subtitles', () => {
  const player = shakaPlayer()
  const { audio } = readTracks(player, null)
  chooseTrack(player, 'AUDIO', audio[1]?.trackId ?? '')
  chooseTrack(player, 'TEXT', '3')
  expect(activeOf(player)).toEqual(['en', 'fr'])
  chooseTrack(player, 'AUDIO', 'unknown')
  chooseTrack(player, 'TEXT', 'unknown')
  expect(activeOf(player)).toEqual(['en'])
  chooseTrack(player, 'TEXT', '3')
  chooseTrack(player, 'TEXT', null)
  expect(activeOf(player)).toEqual(['en'])
})

test('V3-36 the languages of the opening choose the tracks; non hides subtitles', () => {
  const player = shakaPlayer()
  selectLanguages(player, { audio: 'eng', sub: 'fra' })
  expect(activeOf(player)).toEqual(['en', 'fr'])
  selectLanguages(player, { audio: '', sub: 'non' })
  expect(activeOf(player)).toEqual(['en'])
  selectLanguages(player, { audio: 'deu', sub: 'deu' })
  expect(activeOf(player)).toEqual(['en'])
})

test.each<[string, Partial<Languages>, string, string]>([
  ['the main one of the language', { audio: 'eng' }, 'Mono', 'Stereo'],
  ['the chosen one', { audio: 'eng', audioLabel: 'Mono' }, 'Stereo', 'Mono'],
  [
    'the chosen one, even a commentary',
    { audio: 'eng', audioLabel: 'Director', audioAddition: 'commentary' },
    'Stereo',
    'Director',
  ],
  [
    'no commentary with the label of the chosen one',
    { audio: 'eng', audioLabel: 'Director' },
    'Mono',
    'Stereo',
  ],
  ['the main one, if the chosen one is missing', { audio: 'eng', audioLabel: 'Quad' }, 'Mono', 'Stereo'],
  ['the active one, if the language has no main one', { audio: 'fra' }, 'VFQ', 'VFQ'],
  ['the first one otherwise', { audio: 'fra' }, 'Stereo', 'VFF'],
  ['no commentary, even if the language has nothing else', { audio: 'deu' }, 'Kommentar', 'Stereo'],
  ['no description, even if the language has nothing else', { audio: 'ita' }, 'AD', 'Stereo'],
  ['no description of HLS either', { audio: 'spa' }, 'AD (HLS)', 'Stereo'],
  ['the active one, if the language is missing', { audio: 'jpn' }, 'VFQ', 'VFQ'],
])('V3-36 of several audio tracks, the initial one is %s', (_, languages, begun, expected) => {
  const player = shakaPlayer((sound) =>
    [
      { ...sound('en', 'Director'), roles: ['commentary'] },
      { ...sound('en', 'Mono'), roles: ['alternate'] },
      { ...sound('en', 'Stereo'), roles: ['main'], primary: true },
      sound('fr', 'VFF'),
      sound('fr', 'VFQ'),
      { ...sound('de', 'Kommentar'), roles: ['commentary'] },
      { ...sound('it', 'AD'), roles: ['description', 'alternate'] },
      { ...sound('es', 'AD (HLS)'), roles: ['public.accessibility.describes-video'] },
    ].map((track) => ({ ...track, active: track.label === begun })),
  )
  const active = () => readTracks(player, null).audio.find(({ isActive }) => isActive)?.label
  selectLanguages(player, { audio: '', sub: 'non', ...languages })
  expect(active()).toBe(expected)
  // A stream that is loaded again has the same sound.
  selectLanguages(player, activeLanguages(player))
  expect(active()).toBe(expected)
})

test('V3-36 without chosen subtitles, the forced ones in the language of the sound are shown, and count as none', () => {
  const player = shakaPlayer()
  selectLanguages(player, { audio: 'eng', sub: 'non' })
  expect(shownText(player)).toBe(5)
  expect(readTracks(player, null).subtitles.some(({ isActive }) => isActive)).toBe(false)
  expect(activeLanguages(player)).toMatchObject({ audio: 'en', sub: 'non' })
  selectLanguages(player, { audio: 'eng', sub: 'deu' })
  expect(shownText(player)).toBe(5)
  selectLanguages(player, { audio: 'eng', sub: 'fra' })
  expect(shownText(player)).toBe(3)
  chooseTrack(player, 'TEXT', null)
  expect(shownText(player)).toBe(5)
})

test.each([
  ['those of unknown language, if the language of the sound has none', 'fr', ['de', 'und'], 1],
  ['those in the language of the sound first', 'fr', ['und', 'fr'], 1],
  ['the only ones, if the language of the sound is unknown', 'und', ['de'], 0],
  ['none, if the language of the sound is unknown and there are several', 'und', ['de', 'en'], undefined],
  ['none of another language', 'fr', ['de'], undefined],
])(
  'V3-36 without chosen subtitles, the forced ones that are shown are %s',
  (_, sound, languages, expected) => {
    const player = shakaPlayer((track) => [track(sound)])
    const [text] = player.getTextTracks()
    if (text === undefined) throw new Error('The player has subtitles.')
    const texts = languages.map((language, id): TextTrack => ({ ...text, id, language, forced: true }))
    player.getTextTracks().splice(0, Number.POSITIVE_INFINITY, ...texts)
    selectLanguages(player, { audio: '', sub: 'non' })
    expect(shownText(player)).toBe(expected)
  },
)

test('V4-57 the forced subtitles follow the sound; chosen subtitles stay', () => {
  const player = shakaPlayer()
  const [french, english] = readTracks(player, null).audio.map(({ trackId }) => trackId)
  selectLanguages(player, { audio: 'fra', sub: 'non' })
  expect(shownText(player)).toBeUndefined()
  chooseTrack(player, 'AUDIO', english ?? '')
  expect(shownText(player)).toBe(5)
  chooseTrack(player, 'AUDIO', french ?? '')
  expect(shownText(player)).toBeUndefined()
  chooseTrack(player, 'TEXT', '3')
  chooseTrack(player, 'AUDIO', english ?? '')
  expect(shownText(player)).toBe(3)
})

test.each([
  ['for the deaf', { audio: 'fra', sub: 'fra', captions: true }, '6'],
  ['ordinary, if those are chosen', { audio: 'fra', sub: 'fra', captions: false }, '3'],
  ['ordinary, if nothing is chosen', { audio: 'fra', sub: 'fra' }, '3'],
  ['for the deaf, if the language has no others', { audio: 'fra', sub: 'eng', captions: false }, '4'],
])('spec 21 the subtitles of a language are %s', (_, languages, expected) => {
  const player = shakaPlayer()
  selectLanguages(player, languages)
  const active = () => readTracks(player, null).subtitles.find(({ isActive }) => isActive)?.trackId
  expect(active()).toBe(expected)
  // A stream that is loaded again has the same subtitles.
  selectLanguages(player, activeLanguages(player))
  expect(active()).toBe(expected)
})
