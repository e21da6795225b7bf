import type { Recording } from '@ondine/contract/recordings'
import { pathOf } from '../../ground/links/content-link.ts'

/** Returns the path that plays a recording from its beginning, or from the profile's last position. */
export function recordingPath(id: number, from: 'start' | 'last'): string {
  return `${pathOf('player')}?recording=${id}${from === 'start' ? '&t=0' : ''}`
}

/** Returns whether a recording resumes at the profile's last position. One that was watched to its end does not. */
export function resumes({ position, state }: Pick<Recording, 'position' | 'state'>): boolean {
  return position > 0 && state !== 'played'
}
