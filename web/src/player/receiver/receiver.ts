import { type CastMedia, type CastMessage, reportScreen, type ScreenState } from '@ondine/contract/casting'
import { call } from '../../api/call.ts'
import { forgetScreen } from '../../features/people/devices/paired-screen.ts'
import { takeHandOver } from '../../features/viewing/casting/hand-over.ts'
import { type Ending, followService } from '../../features/viewing/casting/service-socket.ts'
import type { PlayerTarget } from '../content/playable.ts'
import type { Lent } from './call-as.ts'
import type { PlayerCommand } from './carry-out.ts'
import { newestOnly } from './report.ts'

/** Content that a screen has to play. */
export interface Assignment {
  /** Number of the command. A new number is a new assignment, even for the same content. */
  number: number
  target: PlayerTarget
  lent: Lent
}

type Command = PlayerCommand | { type: 'next' }

/** A screen that is connected to the service. */
export interface Receiver {
  /** Returns the content to play; null while the screen waits. */
  assignment(): Assignment | null
  /** Calls `changed` at each change of the assignment. @returns a function that ends the calls */
  subscribe(changed: () => void): () => void
  /** Connects to the service as a screen of an account. @returns a function that ends the connection */
  connect(accountId: number): () => void
  /** Calls `heard` with each command for the player, in order. @returns a function that ends the calls */
  follow(heard: (command: Command) => void): () => void
  report(state: ScreenState): void
  /** Resolves to the id of this screen, once the service has recorded it. */
  opened: Promise<number>
  /** Ends the assignment, because the content has ended. The last report stays valid. */
  end(): void
}

/** Creates the receiver of a page, not connected yet. */
export function createReceiver(): Receiver {
  const { promise: opened, resolve: setOpened } = Promise.withResolvers<number>()
  const listeners = new Set<() => void>()
  let assignment: Assignment | null = null
  /** Number of the last command that was carried out; undefined before the screen is open. */
  let number: number | undefined
  let player: ((command: Command) => void) | undefined
  /** Commands that arrived before the player was there. */
  let early: Command[] = []
  /** Whether the last command has stopped the playback. Later reports of the player are then out of date. */
  let isStopped = false

  const send = newestOnly(async (state: ScreenState | undefined) => {
    try {
      await call(reportScreen, { number: number ?? 0, state })
    } catch (error) {
      // The next report repeats the state. A message on the screen would help nobody (V8-03).
      console.warn('The state of the screen could not be reported', error)
    }
  })
  const assign = (next: Assignment | null) => {
    assignment = next
    for (const changed of listeners) changed()
  }
  /** Another page of this device is the screen now, or the device was removed. Phones cannot control this page any more. */
  const leave = (reason: Ending) => {
    if (reason === 'revoked') forgetScreen()
    isStopped = true
    assign(null)
  }
  const hear = (message: CastMessage) => {
    if (message.type === 'opened') {
      number ??= message.number
      setOpened(message.casDeviceId)
    }
    if (message.type !== 'load' && message.type !== 'command') return
    // A command may arrive again after a lost connection.
    if (message.number <= (number ?? 0)) return
    number = message.number
    if (message.type === 'load') {
      isStopped = false
      early = []
      const { profileToken, parentalProof } = message
      assign({ number, target: targetOf(message.media), lent: { profileToken, parentalProof } })
    } else if (message.command.type === 'stop') {
      isStopped = true
      assign(null)
      send(undefined)
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
    report: (state) => {
      if (!isStopped) send(state)
    },
    opened,
    end: () => assign(null),
  }
}

function targetOf({ content: { kind, id }, startAt, idAudioLang, idSubtitleLang }: CastMedia): PlayerTarget {
  // An empty name stands for the main audio, so no language is chosen.
  const audio = idAudioLang === '' ? {} : { audio: idAudioLang }
  return { kind, id, start: startAt ?? undefined, languages: { ...audio, sub: idSubtitleLang } }
}
