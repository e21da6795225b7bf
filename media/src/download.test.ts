import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import {
  downloadLanguages,
  downloadQualities,
  downloadRenditions,
  expectedBytes,
  segmentCount,
  withRenditions,
} from './download.ts'
import { filmTimeline } from './timeline.ts'
import { wholeWindow } from './window.ts'

const FILM = aTrackSet({
  number: 1,
  segments: 4,
  heights: [360, 720, 1080],
  audio: ['fra', 'eng'],
  text: ['fra', 'eng'],
})
const idsOf = (choice: Parameters<typeof downloadRenditions>[1]) =>
  downloadRenditions(FILM, choice).map((rendition) =>
    rendition.kind === 'video' ? rendition.height : `${rendition.kind} ${rendition.language}`,
  )

describe('the renditions of a download', () => {
  it('are the best video within a height, one sound and the chosen subtitles', () => {
    expect(idsOf({ audio: 'eng', subtitle: 'fra' })).toEqual([1080, 'audio eng', 'text fra'])
    expect(idsOf({ audio: 'fra', subtitle: 'non', height: 720 })).toEqual([720, 'audio fra'])
    expect(idsOf({ audio: 'fra', subtitle: 'non', height: 719 })).toEqual([360, 'audio fra'])
  })

  it('have the subtitles for the deaf beside the others of their language', () => {
    const french = FILM.renditions.find((each) => each.kind === 'text' && each.language === 'fra')
    if (french?.kind !== 'text') throw new Error('The film has no French subtitles.')
    const captions = { ...french, id: 'captions', captions: true }
    const chosen = downloadRenditions(
      { ...FILM, renditions: [...FILM.renditions, captions] },
      { audio: 'eng', subtitle: 'fra' },
    )
    expect(chosen.map(({ id }) => id)).toContain(french.id)
    expect(chosen.map(({ id }) => id)).toContain('captions')
  })

  it('have the forced subtitles in the language of the sound, whichever subtitles are chosen', () => {
    const forced = FILM.renditions.flatMap((each) =>
      each.kind === 'text' ? [{ ...each, id: `${each.id}-forced`, forced: true }] : [],
    )
    const film = { ...FILM, renditions: [...FILM.renditions, ...forced] }
    const textsOf = (choice: Parameters<typeof downloadRenditions>[1]) =>
      downloadRenditions(film, choice).flatMap((each) =>
        each.kind === 'text' ? [`${each.language}${each.forced ? ' forced' : ''}`] : [],
      )
    expect(textsOf({ audio: 'eng', subtitle: 'non' })).toEqual(['eng forced'])
    expect(textsOf({ audio: 'eng', subtitle: 'fra' })).toEqual(['fra', 'eng forced'])
    expect(textsOf({ audio: 'deu', subtitle: 'non' })).toEqual(['fra forced'])
    for (const text of forced) text.language = 'und'
    expect(textsOf({ audio: 'eng', subtitle: 'non' })).toEqual(['und forced', 'und forced'])
  })

  it('are the smallest video and the default sound where nothing fits', () => {
    expect(idsOf({ audio: 'deu', subtitle: 'deu', height: 100 })).toEqual([360, 'audio fra'])
  })

  it('have the main sound of a language, and no commentary', () => {
    const [first, second] = FILM.renditions.filter(({ kind }) => kind === 'audio')
    if (first?.kind !== 'audio' || second?.kind !== 'audio') throw new Error('The film has two sounds.')
    const sounds = [
      { ...second, id: 'commentary', isDefault: false, addition: 'commentary' as const },
      { ...second, id: 'other', isDefault: false },
      { ...second, id: 'main', isDefault: true },
      { ...first, id: 'description', isDefault: false, addition: 'description' as const },
    ]
    const film = {
      ...FILM,
      renditions: [...FILM.renditions.filter(({ kind }) => kind !== 'audio'), ...sounds],
    }
    const soundOf = (audio: string) => downloadRenditions(film, { audio, subtitle: 'non' })[1]?.id
    expect([soundOf('eng'), soundOf('fra')]).toEqual(['main', 'main'])
    expect(downloadLanguages(film).audio).toEqual(['eng'])
  })

  it('make a manifest of just these, with as many segments as they have', () => {
    const chosen = downloadRenditions(FILM, { audio: 'fra', subtitle: 'non', height: 720 })
    const only = withRenditions(FILM, [...chosen.map(({ id }) => id), 'unknown'])
    const manifest = dashManifest(wholeWindow(filmTimeline(only)), OPTIONS)
    expect(manifest.match(/<Representation /g)).toHaveLength(2)
    expect(dashSegments(manifest).segments).toHaveLength(
      chosen.reduce((sum, rendition) => sum + segmentCount(rendition), 0),
    )
  })

  it('can be chosen by their height, with the size of each', () => {
    const qualities = downloadQualities(FILM, { audio: 'eng', subtitle: 'non' })
    expect(qualities.map(({ height }) => height)).toEqual([1080, 720, 360])
    for (const { height, bytes } of qualities)
      expect(bytes).toBe(expectedBytes(downloadRenditions(FILM, { audio: 'eng', subtitle: 'non', height })))
  })

  it('can be chosen by the languages of the sounds and of the subtitles that are not forced', () => {
    expect(downloadLanguages(FILM)).toEqual({ audio: ['fra', 'eng'], subtitle: ['fra', 'eng'] })
    const renditions = FILM.renditions.map((rendition) =>
      rendition.kind === 'text' && rendition.language === 'eng' ? { ...rendition, forced: true } : rendition,
    )
    expect(downloadLanguages({ ...FILM, renditions }).subtitle).toEqual(['fra'])
  })

  it('have a size that follows from their mean bandwidth', () => {
    const [video] = downloadRenditions(FILM, { audio: 'fra', subtitle: 'non', height: 360 })
    if (video?.kind !== 'video') throw new Error('The first rendition is the video.')
    const seconds = video.segments.reduce((sum, [ticks, count]) => sum + ticks * count, 0) / video.timescale
    expect(expectedBytes([video])).toBe(Math.ceil((video.averageBandwidth * seconds) / 8))
  })
})
