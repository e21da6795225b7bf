import type { CastCommand } from '@ondine/contract/casting'
import { PLAYER } from '@ondine/contract/constants'
import { castEpoch } from '../casting/cast-media.ts'
import { playOrPause } from '../machine/play-or-pause.ts'
import type { PlayerMachineEvent } from '../machine/player-context.ts'
import type { PlayerSnapshot } from '../machine/player-machine.ts'

/**
 * Commands that change only the player's state. The screen itself handles `next` and `stop`, because these change
 * its content.
 */
export type PlayerCommand = Exclude<CastCommand, { type: 'next' | 'stop' }>

/** Returns whether the player has loaded its content and can execute commands. */
export function isReady({ value }: PlayerSnapshot): boolean {
  return typeof value.playback === 'string' && value.playback !== 'ready'
}

/**
 * Returns the event of the player that executes a command of a phone. Undefined if the player is already in the
 * requested state, or has no track in the requested language.
 */
export function eventOf(command: PlayerCommand, snapshot: PlayerSnapshot): PlayerMachineEvent | undefined {
  const { context } = snapshot
  const { tracks } = context
  switch (command.type) {
    case 'play':
    case 'pause':
      return playOrPause(command.type, snapshot)
    case 'seek':
      return { type: 'seekTo', position: command.position - castEpoch(context) }
    case 'skipAd':
      return context.reading.ad?.number === command.number ? { type: 'ad.skip' } : undefined
    case 'dismissNext':
      // A late command must not dismiss the content after the next one.
      return snapshot.matches({ binge: 'counting' }) ? { type: 'binge.dismiss' } : undefined
    case 'startOver':
    case 'toLive':
      return { type: command.type }
    case 'volume':
      return { type: 'setVolume', percent: command.percent }
    case 'audio': {
      const ofLanguage = tracks.audio.filter(({ language }) => language === command.language)
      const track =
        ofLanguage.find(({ isActive }) => isActive) ??
        ofLanguage.find(({ addition }) => addition === undefined) ??
        ofLanguage[0]
      return track && { type: 'chooseAudio', trackId: track.trackId, language: track.language }
    }
    case 'subtitles': {
      // This command turns subtitles off, so no track is active (V4-57).
      if (command.language === PLAYER.defaultSubtitle)
        return { type: 'chooseSubtitles', trackId: null, language: command.language }
      const ofLanguage = tracks.subtitles.filter(({ language }) => language === command.language)
      const captions = context.selectedMedia?.captions ?? false
      const track = ofLanguage.find((each) => each.captions === captions) ?? ofLanguage[0]
      return track && { type: 'chooseSubtitles', trackId: track.trackId, language: track.language }
    }
    default:
      return undefined
  }
}
