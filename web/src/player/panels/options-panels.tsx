import { PLAYER } from '@ondine/contract/constants'
import { languageTag } from '@ondine/contract/languages'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { readersFirst } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { trackLanguageName } from '../../words/track-language.ts'
import type { Track } from '../engine/engine.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { ChoiceList, OptionsPanel, type PanelChoice } from './options-panel.tsx'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2]
const NO_SUBTITLES = 'none'
const AUTOMATIC = 'auto'

/** The choice of audio and subtitles. */
export function LanguagesPanel({ actor, close }: { actor: PlayerActor; close: () => void }) {
  const { t } = useTranslation('player')
  const { language } = usePlace()
  const tracks = useSelector(actor, (state) => state.context.tracks)
  const choice = (track: Track): PanelChoice => {
    const name = trackName(track, languageTag(language))
    const key = track.captions ? 'captions' : track.addition === 'commentary' ? 'commentary' : undefined
    return { id: track.trackId, text: key ? t(key, { language: name }) : name }
  }
  const choices = (of: readonly Track[]) => readersFirst(of, language, (track) => track.language).map(choice)
  const subtitles = tracks.subtitles.find(({ isActive }) => isActive)
  return (
    <OptionsPanel id="player-languages" label={t('languages')} close={close}>
      {tracks.audio.length > 0 && (
        <ChoiceList
          legend={t('audio')}
          choices={choices(tracks.audio)}
          chosen={tracks.audio.find(({ isActive }) => isActive)?.trackId}
          choose={(trackId) => {
            const track = tracks.audio.find((candidate) => candidate.trackId === trackId)
            if (track === undefined) return
            const { language, label, addition } = track
            const hasOthers = tracks.audio.some((other) => other !== track && other.language === language)
            const isKept = hasOthers || addition !== undefined
            actor.send({ type: 'chooseAudio', trackId, language, ...(isKept && { label, addition }) })
          }}
        />
      )}
      <ChoiceList
        legend={t('subtitles')}
        choices={[{ id: NO_SUBTITLES, text: t('noSubtitles') }, ...choices(tracks.subtitles)]}
        chosen={subtitles?.trackId ?? NO_SUBTITLES}
        choose={(trackId) => {
          const track = tracks.subtitles.find((candidate) => candidate.trackId === trackId)
          // Of a language with one kind only, the viewer has chosen the language, not the kind.
          const hasBoth = tracks.subtitles.some(
            ({ language, captions }) => language === track?.language && captions !== track.captions,
          )
          actor.send({
            type: 'chooseSubtitles',
            trackId: track?.trackId ?? null,
            language: track === undefined ? PLAYER.defaultSubtitle : track.language,
            ...(track && hasBoth && { captions: track.captions }),
          })
        }}
      />
    </OptionsPanel>
  )
}

/** The choice of speed, if seeking is possible, and of quality. */
export function SettingsPanel({ actor, close }: { actor: PlayerActor; close: () => void }) {
  const { t } = useTranslation('player')
  const { language } = usePlace()
  const speed = useSelector(actor, (state) => state.context.speed)
  const { qualities, quality } = useSelector(actor, (state) => state.context.tracks)
  const showSpeed = useSelector(actor, ({ context }) => canMove(context) && context.playable?.live === false)
  const number = new Intl.NumberFormat(languageTag(language))
  return (
    <OptionsPanel id="player-settings" label={t('settings')} close={close}>
      {showSpeed && (
        <ChoiceList
          legend={t('speed')}
          choices={SPEEDS.map((value) => ({
            id: String(value),
            text: value === 1 ? t('normalSpeed') : `${number.format(value)} ×`,
          }))}
          chosen={String(speed)}
          choose={(id) => actor.send({ type: 'setSpeed', speed: Number(id) })}
        />
      )}
      <ChoiceList
        legend={t('quality')}
        choices={[
          { id: AUTOMATIC, text: t('automatic') },
          ...qualities.map((lines) => ({
            id: String(lines),
            text: `${lines}p`,
            spoken: t('lines', { lines }),
          })),
        ]}
        chosen={quality === null ? AUTOMATIC : String(quality)}
        choose={(id) => actor.send({ type: 'chooseQuality', lines: id === AUTOMATIC ? null : Number(id) })}
      />
    </OptionsPanel>
  )
}

/** Formats a track's language in the page's language, capitalised. */
function trackName({ language, label }: Track, tag: string): string {
  const name = trackLanguageName(language, tag)
  return label === '' || label === language ? name : `${name} · ${label}`
}
