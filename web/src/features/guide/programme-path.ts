import type { Programme } from '@ondine/contract/entities'
import { slugWithId } from '@ondine/contract/slugs'
import { pathOf } from '../links/content-link.ts'
import { addressOf } from './address.ts'
import type { GuideDays } from './days.ts'

/** So much of what came before shows in the guide, in seconds. */
const BEFORE_SECONDS = 900

/** Where a programme's own page stands (V2.1-08, V2.2-02). */
export function programmePath({ title, id }: Pick<Programme, 'title' | 'id'>): string {
  return pathOf('epg-slug', { slug: slugWithId(title, id) })
}

/** Where the guide shows a moment, in seconds since the Unix epoch. */
export function guidePath(seconds: number, guide: GuideDays): string {
  return `${pathOf('epg')}?${new URLSearchParams({ ...addressOf(seconds - BEFORE_SECONDS, guide) })}`
}
