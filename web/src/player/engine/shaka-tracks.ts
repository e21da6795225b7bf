import { PLAYER } from '@ondine/contract/constants'
import { forcedSubtitles } from '@ondine/contract/tracks'
import { sameLanguage } from '../../words/same-language.ts'
import type { Languages } from '../content/playable.ts'
import type { Track, Tracks } from './engine.ts'
import type { ShakaPlayer } from './shaka.ts'

type AudioTrack = ReturnType<ShakaPlayer['getAudioTracks']>[number]
type TextTrack = ReturnType<ShakaPlayer['getTextTracks']>[number]

/**
 * Returns the available tracks, in the terms of V3-37. `quality` is the viewer's choice; null if the player adapts
 * the quality.
 */
export function readTracks(player: ShakaPlayer, quality: number | null): Tracks {
  const heights = player.getVideoTracks().flatMap(({ height }) => (height === null ? [] : [height]))
  return {
    audio: player.getAudioTracks().map(
      (track): Track => ({
        trackId: audioId(track),
        type: 'AUDIO',
        language: track.language,
        label: track.label ?? '',
        isActive: track.active,
        captions: false,
        addition: additionOf(track),
      }),
    ),
    subtitles: player
      .getTextTracks()
      .filter(({ forced }) => !forced)
      .map(
        (track): Track => ({
          trackId: String(track.id),
          type: 'TEXT',
          language: track.language,
          label: track.label ?? '',
          isActive: track.active,
          captions: isForDeaf(track),
        }),
      ),
    qualities: [...new Set(heights)].toSorted((a, b) => b - a),
    quality,
  }
}

/**
 * Returns an id for an audio track. Shaka gives audio tracks no permanent number, so the id consists of the
 * track's properties.
 */
function audioId({ language, label, channelsCount, roles }: AudioTrack): string {
  return [language, label ?? '', channelsCount ?? '', ...roles].join(' ')
}

/** Selects an audio or subtitle track; null hides subtitles (V4-57), except forced ones. */
export function chooseTrack(player: ShakaPlayer, type: Track['type'], trackId: string | null): void {
  if (type === 'AUDIO') {
    const track = player.getAudioTracks().find((candidate) => audioId(candidate) === trackId)
    if (track === undefined) return
    player.selectAudioTrack(track)
    showSubtitles(player, activeSubtitles(player), track)
    return
  }
  const track = player.getTextTracks().find(({ id }) => String(id) === trackId)
  showSubtitles(player, track, activeAudio(player))
}

/**
 * Shows the subtitles that the viewer has chosen. Without a choice, shows the forced subtitles that belong to
 * `sound`, if there are any: they translate only what is said or written in another language.
 */
function showSubtitles(
  player: ShakaPlayer,
  chosen: TextTrack | undefined,
  sound: AudioTrack | undefined,
): void {
  const [forced] = forcedSubtitles(player.getTextTracks(), sound?.language ?? 'und', sameLanguage)
  player.selectTextTrack(chosen ?? forced ?? null)
}

function activeAudio(player: ShakaPlayer): AudioTrack | undefined {
  return player.getAudioTracks().find(({ active }) => active)
}

/** Returns the active subtitles. For viewers, forced ones count as none. */
function activeSubtitles(player: ShakaPlayer): TextTrack | undefined {
  return player.getTextTracks().find(({ active, forced }) => active && !forced)
}

/** Returns the addition that the roles of a track name, in DASH or in HLS. */
function additionOf({ roles }: AudioTrack): Track['addition'] {
  if (roles.includes('description') || roles.includes('public.accessibility.describes-video'))
    return 'description'
  return roles.includes('commentary') ? 'commentary' : undefined
}

function isForDeaf({ roles }: TextTrack): boolean {
  return roles.includes('caption')
}

/**
 * Selects the initial audio and subtitles of a stream. `non` means no subtitles, except forced ones. An empty audio
 * means the stream's main audio. If a language has only one kind of subtitles, this kind is selected, whatever
 * `captions` says.
 */
export function selectLanguages(player: ShakaPlayer, { sub, captions = false, ...wanted }: Languages): void {
  const sound = soundFor(player.getAudioTracks(), wanted)
  if (sound !== undefined && !sound.active) player.selectAudioTrack(sound)
  const texts: TextTrack[] = sub === PLAYER.defaultSubtitle ? [] : player.getTextTracks()
  const ofLanguage = texts.filter((track) => !track.forced && sameLanguage(track.language, sub))
  const chosen = ofLanguage.find((track) => isForDeaf(track) === captions) ?? ofLanguage[0]
  showSubtitles(player, chosen, sound)
}

/**
 * Returns the audio track to play for a language: the track with the chosen label and addition, else the main track,
 * else any track of the language. If the language is missing, the active track stays. Commentaries and descriptions
 * are played only if they are chosen, or if there is nothing else.
 */
function soundFor(
  tracks: readonly AudioTrack[],
  { audio, audioLabel, audioAddition }: Omit<Languages, 'sub' | 'captions'>,
): AudioTrack | undefined {
  const spoken = tracks.filter((track) => additionOf(track) === undefined)
  const inLanguage = (track: AudioTrack) => sameLanguage(track.language, audio)
  // Tracks without a title are numbered, so another film's commentary may have the label of a film's own sound.
  const isChosen = (track: AudioTrack) =>
    (track.label ?? '') === audioLabel && additionOf(track) === audioAddition
  const candidates = [
    tracks.filter((track) => inLanguage(track) && isChosen(track)),
    spoken.filter((track) => inLanguage(track) && track.primary),
    spoken.filter(inLanguage),
    spoken.filter(({ active }) => active),
    spoken.filter(({ primary }) => primary),
    spoken,
    tracks,
  ]
  const best = candidates.find((each) => each.length > 0)
  return best?.find(({ active }) => active) ?? best?.[0]
}

/** Returns the languages of the active tracks, so that {@link selectLanguages} can select them in a stream again. */
export function activeLanguages(player: ShakaPlayer): Languages {
  const text = activeSubtitles(player)
  const sound = activeAudio(player)
  return {
    audio: sound?.language ?? '',
    audioLabel: sound?.label ?? '',
    audioAddition: sound && additionOf(sound),
    sub: text?.language ?? PLAYER.defaultSubtitle,
    captions: text && isForDeaf(text),
  }
}
