import { type CastMedia, type CastMessage, reportScreen, type ScreenState } from '@ondine/contract/casting'
import { call } from '../../api/call.ts'
import { forgetScreen } from '../../features/people/devices/paired-screen.ts'
import { takeHandOver } from '../../features/viewing/casting/hand-over.ts'
import { type Ending, followService } from '../../features/viewing/casting/service-socket.ts'
import type { Languages, PlayerTarget } from '../content/playable.ts'
import type { Lent } from './call-as.ts'
import type { PlayerCommand } from './carry-out.ts'
import { newestOnly } from './report.ts'

/** The content that a phone has cast to this screen. */
export interface Assignment {
  /**
   * Number of the command that assigned the content. A new number means a new assignment, even of the same
   * content.
   */
  number: number
  target: PlayerTarget
  /** Languages of the cast, which also apply to the following episodes. */
  languages: Partial<Languages>
  lent: Lent
}

type Command = PlayerCommand | { type: 'next' }

/** A screen that is connected to the service. */
export interface Receiver {
  /** Returns the content to play; null if there is none. */
  assignment(): Assignment | null
  /** Calls `changed` at each change of the assignment. @returns a function that ends the calls */
  subscribe(changed: () => void): () => void
  /** Connects to the service as a screen of an account. @returns a function that ends the connection */
  connect(accountId: number): () => void
  /** Calls `heard` with each command for the player, in order. @returns a function that ends the calls */
  follow(heard: (command: Command) => void): () => void
  /** Calls `stopped` each time that a phone stops this screen. @returns a function that ends the calls */
  followStops(stopped: () => void): () => void
  report(state: ScreenState): void
  /** Resolves to the id of this screen once the service has registered it. */
  opened: Promise<number>
  /** Removes the assignment at the end of the content. The last report stays valid. */
  end(): void
  /** Removes the assignment, and reports that the screen plays nothing. */
  stop(): void
}

/** Creates the receiver of a page. It connects to the service only by `connect`. */
export function createReceiver(): Receiver {
  const { promise: opened, resolve: setOpened } = Promise.withResolvers<number>()
  const listeners = new Set<() => void>()
  const stopListeners = new Set<() => void>()
  let assignment: Assignment | null = null
  /** Number of the last executed command; undefined until the service has accepted the screen. */
  let number: number | undefined
  let player: ((command: Command) => void) | undefined
  /** Commands that arrived before the player was ready for them. */
  let early: Command[] = []
  /**
   * Whether the last command, or a key of the remote, stopped playback. Later reports of the player are then outdated and must not be sent.
   */
  let isStopped = false

  const send = newestOnly(async (state: ScreenState | undefined) => {
    try {
      await call(reportScreen, { number: number ?? 0, state })
    } catch (error) {
      // The error is only logged (V8-03). The next report repeats the state, and nobody in front of the screen
      // could act.
      console.warn('The state of the screen could not be reported', error)
    }
  })
  const assign = (next: Assignment | null) => {
    assignment = next
    for (const changed of listeners) changed()
  }
  /**
   * Stops this page as a screen. Another page of this device has become the screen, or the device was removed from
   * the account. Phones cannot control this page any more.
   */
  const leave = (reason: Ending) => {
    if (reason === 'revoked') forgetScreen()
    isStopped = true
    assign(null)
  }
  const stop = () => {
    isStopped = true
    assign(null)
    send(undefined)
  }
  const hear = (message: CastMessage) => {
    if (message.type === 'opened') {
      number ??= message.number
      setOpened(message.casDeviceId)
    }
    if (message.type !== 'load' && message.type !== 'command') return
    // After a lost connection, the service can send a command again.
    if (message.number <= (number ?? 0)) return
    number = message.number
    if (message.type === 'load') {
      isStopped = false
      early = []
      const { profileToken, parentalProof } = message
      const { content, startAt } = message.media
      assign({
        number,
        target: {
          ...content,
          start: startAt ?? undefined,
          ...(startAt !== null && { continues: true }),
        },
        languages: languagesOf(message.media),
        lent: { profileToken, parentalProof },
      })
    } else if (message.command.type === 'stop') {
      stop()
      for (const stopped of stopListeners) stopped()
    } else if (player === undefined) early.push(message.command)
    else player(message.command)
  }

  return {
    assignment: () => assignment,
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    connect: (accountId) => {
      number ??= takeHandOver()
      return followService({ screenOf: accountId, after: () => number, heard: hear, ended: leave })
    },
    follow: (heard) => {
      player = heard
      for (const command of early) heard(command)
      early = []
      return () => {
        player = undefined
      }
    },
    followStops: (stopped) => {
      stopListeners.add(stopped)
      return () => stopListeners.delete(stopped)
    },
    report: (state) => {
      if (!isStopped) send(state)
    },
    opened,
    end: () => assign(null),
    stop,
  }
}

function languagesOf({ idAudioLang, idSubtitleLang, subtitleCaptions }: CastMedia): Partial<Languages> {
  return {
    // An empty language means the main audio, so the player chooses no language.
    ...(idAudioLang !== '' && { audio: idAudioLang }),
    sub: idSubtitleLang,
    ...(subtitleCaptions !== undefined && { captions: subtitleCaptions }),
  }
}
