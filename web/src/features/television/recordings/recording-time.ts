import type { OutputOf } from '@ondine/contract/operation'
import type { Recording, readQuota } from '@ondine/contract/recordings'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { secondsText } from '../../../words/format.ts'
import { quotaQuery } from './recordings-query.ts'

/** The recording time of an account, in seconds. */
export interface RecordingTime {
  available: number
  /** Time that remains after the recordings in progress and the planned recordings. */
  left: number
}

/** The times of an account in milliseconds, in the form of the service. */
type Quota = OutputOf<typeof readQuota>['npvr']

/** Times that recordings take, in milliseconds: those that exist, the rest of those in progress, and planned ones. */
type TimePart = { name: 'used' | 'running' | 'planned'; milliseconds: number }

/** Returns the times that recordings take. */
export function timeParts({ consumed, running, planned }: Quota): TimePart[] {
  return [
    { name: 'used', milliseconds: consumed },
    { name: 'running', milliseconds: running },
    { name: 'planned', milliseconds: planned - running },
  ]
}

/** Returns the text for one of {@link timeParts}. */
export function partText({ name, milliseconds }: TimePart, t: TFunction): string {
  return t(`recordings.${name}`, { time: secondsText(milliseconds / 1000, t) })
}

/** Returns the recording time in one line: what is left, and what recordings take. */
export function roomText(quota: Quota, t: TFunction): string {
  const { left, available } = recordingTime(quota)
  const room = { left: secondsText(left, t), available: secondsText(available, t) }
  const taken = timeParts(quota).filter(({ milliseconds }) => milliseconds > 0)
  return [t('recordings.room', room), ...taken.map((part) => partText(part, t))].join(' · ')
}

/** If less than this share of the recording time is left, screens warn the viewer before a recording. */
const LITTLE = 0.1

/**
 * Returns the recording time of an account from the service's answer. Undefined before the answer, and for an
 * account without recording time.
 */
export function knownTime(answer: OutputOf<typeof readQuota> | undefined): RecordingTime | undefined {
  return answer === undefined || answer.npvr.available === 0 ? undefined : recordingTime(answer.npvr)
}

/**
 * Returns the recording time of an account. If recordings use more time than available, because programmes became
 * longer than announced, no time is left.
 */
export function recordingTime({
  consumed,
  available,
  planned,
}: Pick<Quota, 'consumed' | 'available' | 'planned'>): RecordingTime {
  return { available: available / 1000, left: Math.max(0, available - consumed - planned) / 1000 }
}

/**
 * Returns whether a recording of some seconds fits into the recording time (A6-10). The service makes the final
 * decision when the viewer records. Screens use this function to tell the viewer in advance.
 */
export function fits({ left }: RecordingTime, seconds: number): boolean {
  return seconds <= left
}

/** Returns whether little recording time is left. */
export function isLow({ left, available }: RecordingTime): boolean {
  return left < available * LITTLE
}

/**
 * Returns the recording time of the account. Undefined before the answer, and for an account without recording
 * time.
 */
export function useRecordingTime({ enabled = true } = {}): RecordingTime | undefined {
  const { data } = useQuery({ ...quotaQuery, enabled })
  return knownTime(data)
}

/** A programme that can be recorded. Times are seconds since the Unix epoch. */
interface ToRecord {
  startutc: number
  endutc: number
}

/** A recording that has ended before its programme and can be continued. `duration` is in seconds. */
type Continued = Pick<Recording, 'duration'> | undefined

/** Returns the recording time that a programme still needs, in seconds: without the part that is recorded already. */
export function secondsToRecord({ startutc, endutc }: ToRecord, continued: Continued): number {
  return Math.max(0, endutc - startutc - (continued?.duration ?? 0))
}

/** Formats the remaining recording time, and says if a programme, or the rest of it, does not fit. */
export function timeLeftText(
  time: RecordingTime,
  programme: ToRecord,
  continued: Continued,
  t: TFunction,
): string {
  const texts = { left: secondsText(time.left, t), available: secondsText(time.available, t) }
  const seconds = secondsToRecord(programme, continued)
  if (fits(time, seconds)) return t('recordings.left', texts)
  const duration = secondsText(seconds, t)
  return t(continued === undefined ? 'recordings.noRoom' : 'recordings.noRoomForRest', { ...texts, duration })
}
