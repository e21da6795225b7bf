import type { Programme } from '@ondine/contract/entities'
import { slugWithId } from '@ondine/contract/slugs'
import type { GuideDays } from '../../ground/days/days.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { queryOf } from './address.ts'

/** When the guide opens at a programme, its view begins this many seconds before the programme's start. */
const BEFORE_SECONDS = 900

/** Returns the path of a programme's page (V2.1-08, V2.2-02). */
export function programmePath({ title, id }: Pick<Programme, 'title' | 'id'>): string {
  return pathOf('epg-slug', { slug: slugWithId(title, id) })
}

/** Returns the path of the guide that shows a programme. */
export function guidePath(
  { startutc, id_channel }: Pick<Programme, 'startutc' | 'id_channel'>,
  guide: GuideDays,
): string {
  const place = { from: startutc - BEFORE_SECONDS, filter: undefined, channel: id_channel }
  return `${pathOf('epg')}?${queryOf(place, guide)}`
}
